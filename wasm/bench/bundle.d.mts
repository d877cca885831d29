export const ROOT: string
export function bundle(entry: string, output: string): Promise<void>
export function imported(name: string): Promise<unknown>
