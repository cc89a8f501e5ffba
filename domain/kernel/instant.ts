/** Instants are ISO 8601 UTC with milliseconds, so their order as text is their order in time. */
export const plusSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString();

/** Null means no limit, so the other instant is taken. */
export const earlier = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b;

/** Null comes before every instant. */
export const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b);

export const DAY_SECONDS = 86_400;
