# generala completion for bash. Save it as ~/.local/share/bash-completion/completions/generala, or source it;
# for an alias, as alias g=generala, source it in ~/.bashrc below that alias.
#
# This function reads the line itself, because bash splits words at = and : and keeps the quotes.
# bash replaces only the part after the last split, so the function returns only that part, quoted:
# a player may be called $(rm -r ~).

_generala() {
    local line=${COMP_LINE:0:COMP_POINT} from=$((COMP_POINT - ${#2})) words=() word="" quote="" open=""
    local i c in_word="" kept=0 candidate quoted aliased=()
    for ((i = 0; i <= ${#line}; i++)); do
        ((i == from)) && open=$quote kept=${#word} # keep the text before, and an open quote
        c=${line:i:1}
        if [[ $quote == "'" && $c != "'" ]]; then word+=$c
        elif [[ $c == \\ && ($quote != '"' || ${line:i+1:1} == [\"\$\`\\]) ]]; then
            ((i++)); word+=${line:i:1} in_word=1
        elif [[ $c == "$quote" && -n $c ]]; then quote=""
        elif [[ -z $quote && $c == [\"\'] ]]; then quote=$c in_word=1
        elif [[ -z $quote && $c == [[:space:]] ]]; then
            [[ -n $in_word ]] && words+=("$word")
            word="" in_word=""
        else word+=$c in_word=1
        fi
    done
    COMPREPLY=()
    read -ra aliased <<<"${BASH_ALIASES[$1]}" # alias gk='generala --game kitchen'
    while IFS= read -r candidate; do
        case $candidate in # the shell completes files and folders
            $'\tfiles') compopt -o default 2>/dev/null; continue ;;
            $'\tfolders') compopt -o dirnames 2>/dev/null; continue ;;
        esac
        candidate=${candidate:kept}
        [[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
        case $open in
            "'") quoted=${candidate//"'"/"'\\''"} ;;
            '"') quoted=$candidate
                for c in \\ '"' \$ \`; do quoted=${quoted//"$c"/"\\$c"}; done
                quoted=${quoted//'!'/"\"'!'\""} ;; # bash expands ! even in double quotes
            *) printf -v quoted '%q' "$candidate" ;;
        esac
        [[ -n $candidate ]] && COMPREPLY+=("$quoted")
    done < <(command generala __complete "${aliased[@]:1}" "${words[@]:1}" "$word" 2>/dev/null)
}

_generala_names() { # generala, and the aliases for it at this moment
    local name names=(generala)
    for name in "${!BASH_ALIASES[@]}"; do
        [[ "${BASH_ALIASES[$name]} " == generala[[:space:]]* ]] && names+=("$name")
    done
    complete -o nosort -F _generala "${names[@]}" 2>/dev/null || complete -F _generala "${names[@]}" # before 4.4
}
_generala_names
