import type { ClientRequest } from 'node:http';

/** Before the final one. There is no need of many, and each costs time, however small it is. */
const MAX_INTERIM = 64;

/** Tells of a request that gets more 1xx answers (RFC 9110 section 15.2) than anybody needs: Node counts none of them. */
export const limitInterim = (outgoing: ClientRequest, tooMany: () => void): void => {
  let count = 0;
  outgoing.on('information', () => {
    if (++count > MAX_INTERIM) tooMany();
  });
};
