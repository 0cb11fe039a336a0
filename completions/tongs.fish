# fish completion for tongs. To use it, save it to ~/.config/fish/completions/, or run: tongs completion fish | source

function __tongs_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct | string unescape)
    set -l lines (command tongs __complete $words[2..-1] "$current" 2>/dev/null)
    set -q lines[1]; or return
    string match -qr '^:\d+$' -- $lines[-1]; or return
    set -l directive (string sub -s 2 -- $lines[-1])
    set -e lines[-1]
    if set -q lines[1]
        printf '%s\n' $lines
    else if test (math "bitand($directive, 16)") -ne 0
        __fish_complete_directories (string replace -r -- '^--[^=]*=' '' $current)
    else if test (math "bitand($directive, 4)") -eq 0
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' $current)
    end
end

complete -c tongs -e
complete -c tongs -f -k -a '(__tongs_complete)'
