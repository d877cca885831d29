/** The field has the focus and its text is marked. Marking alone gives it the focus in some browsers only. */
export function typeOver(field: HTMLInputElement | HTMLTextAreaElement | null): void {
  field?.focus()
  field?.select()
}
