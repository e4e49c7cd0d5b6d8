# generala completion for PowerShell. This command prints the line for your $PROFILE:
#     generala completion powershell --install
#
# It binds no key, so your TAB keeps its meaning. Names are quoted, so PowerShell never runs one.

Register-ArgumentCompleter -Native -CommandName generala -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.Extent.Text } })
    $typed = $wordToComplete.Trim("'", '"')
    if ($typed -eq '' -and $PSNativeCommandArgumentPassing -in $null, 'Legacy') {
        $typed = '""' # an older PowerShell drops an empty argument
    }

    $encoding = [Console]::OutputEncoding
    $python = $env:PYTHONIOENCODING
    try {
        [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false)
        $env:PYTHONIOENCODING = 'utf-8'
        $found = @(generala __complete @words $typed 2>$null) -notmatch '^\t' # PowerShell completes files itself
    } finally {
        [Console]::OutputEncoding = $encoding
        $env:PYTHONIOENCODING = $python
    }

    foreach ($candidate in $found) {
        $text = $candidate
        if ($text -notmatch '^[\w-]+=?$') { # quote names with curly quotes too, which PowerShell reads as straight ones
            $text = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $candidate, 'ParameterValue', $candidate)
    }
}
