/**
 * The seconds of a Retry-After (RFC 9110 section 10.2.3), which is a number of them or a date; 0 for a date that passed.
 *
 * @param now ms since 1970.
 */
export const retryAfterSeconds = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // The form that servers send; Date.parse alone takes "7 days" for a date.
  const at = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
};

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
