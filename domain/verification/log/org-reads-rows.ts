/** A leaf of an org's log of reads as a dump shows it, bytes decoded. Hashes are lowercase hex. */
export interface OrgReadRow {
  readonly orgId: string;
  readonly leafIndex: number;
  readonly signingKeyId: string;
  readonly leafHash: string;
  readonly coseSign1: Uint8Array;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
}

/** A checkpoint of such a log. The last two stand together, or not at all. */
export interface OrgReadsCheckpointRow {
  readonly orgId: string;
  readonly treeSize: number;
  readonly rootHash: string;
  readonly signingKeyId: string;
  readonly coseSign1: Uint8Array;
  readonly createdAt: string;
  readonly witnessKeyId?: string | null;
  readonly witnessSignature?: Uint8Array | null;
}
