/** A command is not kept to. */
export class Usage extends Error {}
