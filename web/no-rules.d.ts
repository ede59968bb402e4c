/** What ESLint looks for, and what it says of it. */
export const NO_RULES: readonly { readonly selector: string; readonly message: string }[];
