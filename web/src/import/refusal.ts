/** Thrown inside a reader where a file cannot be read on; the message names the place. importModel makes an answer of it. */
export class Refusal extends Error {}
