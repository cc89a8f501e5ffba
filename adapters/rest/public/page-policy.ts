import type { Answer } from '../../http/http-exchange.ts';

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** A page runs and loads what this origin serves as files, asks this origin alone, and sends nothing anywhere else. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** The headers of what is served under /docs. */
export const withPolicy = (answer: Answer): Answer => ({
  ...answer,
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': answer.text?.mediaType === 'text/html' ? POLICY : NOTHING,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    ...answer.headers,
  },
});
