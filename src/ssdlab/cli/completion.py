"""`ssdlab completion`, and the answers to the scripts it prints."""

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ssdlab.cli.terminal import say_text, visible
from ssdlab.message import message

if TYPE_CHECKING:
    from typer._click import Command

ASKED = "_SSDLAB_COMPLETE"
"""Names the environment variable that holds the command line up to the cursor."""


class Shell(StrEnum):
    """A shell that can be told how to complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


_SCRIPTS = {
    # Bash parts words at `:` and `=`, too, and puts in place only what follows the last of them.
    Shell.BASH: r"""
_ssdlab() {
    local line=${COMP_LINE:0:COMP_POINT} word kept= one
    word=${line##*[[:space:]]}
    case $word in
        *[:=]*) [[ $COMP_WORDBREAKS == *:* ]] && kept=${word%"${word##*[:=]}"} ;;
    esac
    COMPREPLY=()
    while IFS=$'\t' read -r one _; do
        COMPREPLY+=("${one#"$kept"}")
        case $one in *[:/]) compopt -o nospace 2>/dev/null ;; esac
    done < <(_SSDLAB_COMPLETE="$line" "$1" 2>/dev/null)
}
complete -o default -F _ssdlab ssdlab
""",
    Shell.ZSH: r"""
#compdef ssdlab
_ssdlab() {
    local -a values lines
    local one help
    while IFS=$'\t' read -r one help; do
        values+=("$one")
        lines+=("$one${help:+  $help}")
    done < <(_SSDLAB_COMPLETE="${(j: :)words[1,CURRENT]}" "${words[1]}" 2>/dev/null)
    if (( $#values )); then compadd -l -d lines -a values; else _files; fi
}
if [ "$funcstack[1]" = _ssdlab ]; then _ssdlab "$@"; else compdef _ssdlab ssdlab; fi
""",
    Shell.FISH: r"""
function __ssdlab_complete
    set -l found (_SSDLAB_COMPLETE=(commandline -cp | string collect) ssdlab 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete --command ssdlab --no-files --arguments '(__ssdlab_complete)'
""",
}


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help=message("help-completion-shell").id)],
) -> None:
    """See `help-completion`."""
    say_text(_SCRIPTS[shell].strip())


def has_answered_shell(app: typer.Typer) -> bool:
    """Print what may stand at the cursor, a candidate a line, its help after a tab; whether a shell asked."""
    line = os.environ.get(ASKED)
    if line is None:
        return False
    for value, said in candidates(typer.main.get_command(app), line):
        say_text(f"{visible(value)}\t{visible(said)}" if said else value)
    return True


def candidates(command: "Command", line: str) -> list[tuple[str, str]]:
    """What may stand at the end of a line that begins with `ssdlab`, each with its help or an empty text."""
    from typer._click.shell_completion import _resolve_context, _resolve_incomplete, split_arg_string

    _, *words = split_arg_string(line) or [""]
    incomplete = words.pop() if words and not line[-1].isspace() else ""
    context = _resolve_context(command, {}, "ssdlab", list(words))
    place, incomplete = _resolve_incomplete(context, list(words), incomplete)
    return [(item.value, item.help or "") for item in place.shell_complete(context, incomplete)]
