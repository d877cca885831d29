#include "base/diag.h"
#include "base/text/format.h"

#include <string.h>

asc_status asci_complain(asc_diag *diag, asc_status status, const char *field, const char *format, ...) {
  if (!diag) return status;
  *diag = (asc_diag){.status = status};
  asci_format(diag->field, sizeof diag->field, "%s", field);
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(diag->message, sizeof diag->message, format, arguments);
  va_end(arguments);
  return status;
}

const char *asci_commas(char out[ASCI_COMMAS], int64_t value) {
  char digits[24];
  int count = (int)asci_format(digits, sizeof digits, "%lld", (long long)value), sign = value < 0, used = 0;
  for (int k = 0; k < count; k++) {
    if (k > sign && (count - k) % 3 == 0) out[used++] = ',';
    out[used++] = digits[k];
  }
  out[used] = 0;
  return out;
}

asc_status asci_refuse(asc_diag *diag, asc_status status) {
  return asci_complain(diag, status, "", "%s", asc_status_text(status));
}

asc_status asci_out_of_range(asc_diag *diag, const char *field, int64_t value, int64_t low, int64_t high) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS], c[ASCI_COMMAS];
  return asci_complain(diag, ASC_BAD_INPUT, field, "is %s, expected %s to %s", asci_commas(a, value), asci_commas(b, low),
                       asci_commas(c, high));
}

asc_status asci_check_id(const char *id, asc_diag *diag) {
  bool empty = !id || !*id;
  if (!empty && memchr(id, 0, 256)) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "id", "is %s, expected 1 to 255 bytes", empty ? "empty" : "too long");
}
