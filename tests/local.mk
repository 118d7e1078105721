# Tests speak TAP. Unit tests are cmocka programs; each gets its own block below.
LOG_DRIVER = $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = export CMOCKA_MESSAGE_OUTPUT=TAP AVXTOP=$(abs_builddir)/avxtop \
	SRCDIR=$(abs_top_srcdir) BUILDDIR=$(abs_builddir) VTSHOT=$(abs_builddir)/vtshot;
unit_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/src -I$(top_srcdir) $(CMOCKA_CFLAGS)
unit_libs = libavxtop.a libkernels.a $(CMOCKA_LIBS) $(CPUID_LIBS) $(JANSSON_LIBS) $(INIH_LIBS) $(SMARTCOLS_LIBS)
