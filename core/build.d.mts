/** Builds everything into dist/, and returns when it is whole. */
export function buildAll(): Promise<void>;
export function clean(): Promise<void>;
