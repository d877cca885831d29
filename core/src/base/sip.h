/* SipHash-1-3 (Aumasson and Bernstein 2012, with one and three rounds as hash tables have it): who does not know the key cannot make texts that
   meet. For places in tables only: whatever a digest has in it is folded by hash.h. */
#ifndef ASCI_BASE_SIP_H
#define ASCI_BASE_SIP_H

#include "base/memory.h"

/* The same on every machine. */
uint64_t asci_sip(asci_key key, const char *text, size_t length);

#endif
