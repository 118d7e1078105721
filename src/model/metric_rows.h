/* ONE ROW A METRIC */
METRIC(BUSY_HERTZ, .name = "busy_hertz")
