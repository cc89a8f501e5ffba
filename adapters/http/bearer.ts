import { NotaryError } from '../../domain/kernel/errors.ts';

/**
 * The credential of an Authorization header (RFC 6750 section 2.1); undefined where there is none.
 *
 * @throws NotaryError UNAUTHORIZED where it is of another form.
 */
export const bearerOf = (header: string | undefined): string | undefined => {
  if (!header) return undefined;
  const match = /^Bearer +([^ ]+)$/i.exec(header);
  if (!match)
    throw new NotaryError('UNAUTHORIZED', 'The Authorization header must read "Bearer <API_KEY>".');
  return match[1];
};
