# generala completion for fish. Save it as ~/.config/fish/completions/generala.fish
#
# One process for each TAB. fish splits the line, and quotes every name that it inserts.

function __generala_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    # Remove the quotes. Close an open one first.
    set -l plain (string unescape -- $typed; or string unescape -- $typed"'"; or string unescape -- $typed'"')
    set -l found (command generala __describe $words[2..-1] "$plain" 2>/dev/null)
    switch "$found" # the shell completes files and folders
        case ''
        case \tfiles
            __fish_complete_path $plain
        case \tfolders
            __fish_complete_directories $plain
        case '*'
            string match -v -- '~*' $found # fish inserts these unquoted
    end
end

complete -c generala -f -k -a '(__generala_complete)'
