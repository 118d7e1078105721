# SPDX-License-Identifier: GPL-2.0-or-later
# Recorded and made-up machines are text: "Path: NAME", then "Lines: N" and the lines of the file, "SymlinkTo: TARGET" or
# "Directory: yes"; lines between entries that begin with "#" are comments. unpack (hosts.sh) calls this twice:
# -v folders=1 prints the folders that are needed; else the files are written below the current folder, and
# the links printed as "TARGET TAB NAME". Paths are relative and do not lead upwards.
left > 0 {
	left--
	if (!folders)
		print >path
	if (left == 0)
		close(path)
	next
}
/^#/ || /^$/ { next }
/^Path: / {
	path = substr($0, 7)
	if (path ~ /^\/|(^|\/)\.\.(\/|$)/) {
		print "unpack.awk: line " NR " leads out of the folder: " $0 >"/dev/stderr"
		exit 1
	}
	folder = path
	if (folders && sub("/[^/]*$", "", folder) && !(folder in seen)) {
		seen[folder] = 1
		print folder
	}
	next
}
/^Lines: / {
	left = $2 + 0
	if (left == 0 && !folders) {
		printf "" >path
		close(path)
	}
	next
}
/^SymlinkTo: / {
	if (!folders)
		print substr($0, 12) "\t" path
	next
}
/^Directory: / {
	if (folders)
		print path
	next
}
{
	print "unpack.awk: line " NR " is no part of an entry: " $0 >"/dev/stderr"
	exit 1
}
