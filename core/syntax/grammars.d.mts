export type Grammar = { package: string; path: string; sha256: string; tiers?: true };

/** By language. */
export declare const grammars: Readonly<Record<string, Grammar>>;
