/** Thrown inside a reader where a file cannot be read on; the message names the place. importModel makes an answer of it. */
export class Refusal extends Error {}

/** What an operator cannot do with these inputs. In a branch that need not run, that is no reason to refuse the file. */
export class CannotRun extends Refusal {}
