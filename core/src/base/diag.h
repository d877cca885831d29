/* How a call says what was wrong with its arguments. */
#ifndef ASCI_BASE_DIAG_H
#define ASCI_BASE_DIAG_H

#include "asc/asc.h"

/* Fills diag, which may be NULL, with the status, the field and a message that goes on where "<field>" ends: "is 3, expected ...".
   What is too long is cut. Returns the status. */
asc_status asci_complain(asc_diag *diag, asc_status status, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What is no fault of a field: the status in words. Returns it. */
asc_status asci_refuse(asc_diag *diag, asc_status status);

/* BAD_INPUT: "is 7, expected low to high". */
asc_status asci_out_of_range(asc_diag *diag, const char *field, int64_t value, int64_t low, int64_t high);

/* BAD_INPUT of the field "id" unless it is 1 to 255 bytes and a NUL. */
asc_status asci_check_id(const char *id, asc_diag *diag);

/* Room for a number with commas. */
#define ASCI_COMMAS 32

/* 9007199254740991 as 9,007,199,254,740,991. Returns out. */
const char *asci_commas(char out[ASCI_COMMAS], int64_t value);

#endif
