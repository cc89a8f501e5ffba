import type { Answer } from '../../http/http-exchange.ts';

const NOTHING = "default-src 'none'; frame-ancestors 'none'";

/** A page runs and loads what this origin serves as files. Its forms go nowhere, or to the search of this origin. */
const policyOf = (forms: 'none' | 'self'): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action '${forms}'; frame-ancestors 'none'`;

/**
 * The page of the console may besides ask this origin. No text becomes markup or a script in it, but the one picture that
 * has a policy of its own.
 */
const CONSOLE =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types notary-lifecycle";

/** The headers of the console and its parts, which are asked for anew, so that they are of one release. */
export const withConsolePolicy = (answer: Answer): Answer => ({
  ...answer,
  headers: {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': answer.text?.mediaType === 'text/html' ? CONSOLE : NOTHING,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...answer.headers,
  },
});

/** The headers of what is served under /docs. */
export const withPolicy = (answer: Answer, forms: 'none' | 'self' = 'self'): Answer => ({
  ...answer,
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': answer.text?.mediaType === 'text/html' ? policyOf(forms) : NOTHING,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    ...answer.headers,
  },
});
