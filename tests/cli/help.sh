#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --help of every command, and that manual and completion know the same options and no others.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

widest() { awk '{ if (length > most) most = length } END { print most + 0 }' <<<"$1"; }
# The option names in a text, sorted.
names() { grep -o -e '--[a-z][a-z-]*' <<<"$1" | sort -u; }

exits 0 "avxtop --help" "$AVXTOP" --help
is "it says nothing on stderr" "$err" ""
like "it begins with the usage" "$out" "^Usage: avxtop "
ok "it fits 80 columns" test "$(widest "$out")" -le 80
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$out")
is "it lists the commands" "$(xargs <<<"$commands")" "top log burst scope sweep metrics kernels doctor docs"

man=$("$AVXTOP" docs man)
completion=$("$AVXTOP" docs completion)
markdown=$("$AVXTOP" docs markdown)
every=
for command in $commands; do
	for order in "$command --help" "--help $command" "$command -h"; do
		read -ra words <<<"$order"
		exits 0 "avxtop $order" "$AVXTOP" "${words[@]}"
		is "avxtop $order: nothing on stderr" "$err" ""
		like "avxtop $order: it is the help of this command" "$out" "^Usage: avxtop $command "
	done
	ok "$command: its help fits 80 columns" test "$(widest "$out")" -le 80
	like "$command: the manual has the command" "$man" "^\\\\fB$command\\\\fR"
	# Help's first column; words of the help texts may look like options too.
	of_help=$(sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' <<<"$out" | sort)
	every="$every
$of_help"
	of_completion=$(sed -n "s/^\t$command) words='\(.*\)' ;;/\1/p" <<<"$completion")
	is "$command: help and completion have the same options" "$(names "$of_completion")" "$of_help"
	of_man=$(sed 's/\\-/-/g; s/\\f[BRI]//g' <<<"$man" |
		awk -v c="$command" '/^(-., )?--[a-z-]+/ {
			if (!/\)$/ || $0 ~ "[(, ]" c "[,)]") { sub(/^-., /, ""); sub(/ .*/, ""); print }
		}' | sort)
	is "$command: help and manual have the same options" "$of_man" "$of_help"
done
every=$(sort -u <<<"$every" | sed '/^$/d')
is "the tables have every option" \
	"$(sed -n 's/^| `\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' <<<"$markdown" | sort)" "$every"
is "the manual has no other option" \
	"$(sed 's/\\-/-/g; s/\\f[BRI]//g' <<<"$man" | sed -n 's/^\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort)" "$every"

exits 0 "avxtop --version" "$AVXTOP" --version
like "it says the version" "$out" "^avxtop [0-9]"
like "it says the license" "$out" "GPL-2.0-or-later"
like "it says the libraries" "$out" "ncurses.*libcpuid.*jansson.*libsmartcols"
exits 0 "--version of a command" "$AVXTOP" log --version
exits 0 "help is given although something else is asked for" "$AVXTOP" log -n 1 --help -i 0.1
like "and it is the help" "$out" "^Usage: avxtop log "

# Words for people may be of any locale, and of one that is not there.
for locale in C C.UTF-8 de_DE.UTF-8 no_SUCH.locale ""; do
	exits 0 "help under LC_ALL=$locale" env LC_ALL="$locale" LANG="$locale" LANGUAGE=de "$AVXTOP" --help
done

done_testing
