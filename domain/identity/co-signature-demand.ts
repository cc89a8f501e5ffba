/** How requests must be signed by the key of their credential: the laxest first, each demands what the one before does. */
export const CO_SIGNATURES = ['none', 'body', 'request'] as const;
export type CoSignatureDemand = (typeof CO_SIGNATURES)[number];

export const stricter = (one: CoSignatureDemand, other: CoSignatureDemand): CoSignatureDemand =>
  CO_SIGNATURES.indexOf(one) < CO_SIGNATURES.indexOf(other) ? other : one;
