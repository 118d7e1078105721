# SPDX-License-Identifier: GPL-2.0-or-later
# Turns data files into C strings: awk -f data/embed.awk FILE… (run in the source folder).
BEGIN { print "/* Made by data/embed.awk from data/; do not edit. */\n#include \"base/data.h\"\n\nconst struct data_file data_files[] = {" }
FNR == 1 {
	if (NR > 1)
		print "\t},"
	name = FILENAME
	sub(/^data\//, "", name)
	printf "\t{ \"%s\",\n", name
}
{
	gsub(/[\\"]/, "\\\\&")
	printf "\t  \"%s\\n\"\n", $0
}
END { print "\t},\n\t{ 0, 0 }\n};" }
