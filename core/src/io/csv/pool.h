/* Pools in a buffer CSV: rows above the header that declare them, and cells that name them. */
#ifndef ASCI_IO_CSV_POOL_H
#define ASCI_IO_CSV_POOL_H

#include "io/csv/report.h"

/* Reads a row pool,NAME,CAPACITY,ALIGNMENT,BANK of 2 to 5 fields and adds that pool; what is wrong with it is reported. Errors: TOO_LARGE
   (too many), OUT_OF_MEMORY. */
asc_status asci_csv_declare_pool(csv_report *report, asc_problem *problem, const csv_field *fields, size_t count);

/* Reads a cell of the column `name`: the pool of that name (added with the run's capacity if it was not declared), * for any, or, where the
   cell is empty, the main one. O(pools). Errors as above. */
asc_status asci_csv_pool(csv_report *report, asc_problem *problem, const csv_field *field, const char *name, uint32_t *pool);

#endif
