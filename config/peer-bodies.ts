/** A message of a peer carries an entry and what it hashes: each may be as large as a body here. */
export const peerBodyBytes = (maxBodyBytes: number): number => 2 * maxBodyBytes + 512 * 1024;

/** Criteria and evidence of one body each, and what stands around them. */
export const peerBodyValues = (maxBodyValues: number): number => 2 * maxBodyValues + 4_096;
