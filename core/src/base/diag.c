#include "base/diag.h"
#include "base/format.h"

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
