/** Parts of the page that a test has begun to fetch are there before the next file begins. */
import { afterAll, vi } from 'vitest'

afterAll(() => vi.dynamicImportSettled())
