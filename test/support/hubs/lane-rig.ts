import { InlineJsonReader } from '../../../adapters/json-work/inline-json-reader.ts';
import { randomBytes } from 'node:crypto';
import { DeliverLanes } from '../../../application/federation/deliver-lanes.ts';
import type { LaneParts } from '../../../application/federation/lane-parts.ts';
import type { LaneHead } from '../../../application/sharing/outgoing.port.ts';
import type { PeerResponse } from '../../../application/federation/peer-transport.port.ts';
import type { PeerAnswer } from '../../../domain/federation/message.ts';
import type { Peer } from '../../../domain/federation/peer.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { at, bytes, hex, sampleRecord, uuid } from '../../contract/sql/samples.ts';
import type { TestDatabase } from '../databases/databases.ts';

/** What a peer of the rig was sent. */
export interface Sent {
  readonly peerHubId: string;
  readonly recordId: string;
  readonly sequence: number;
  readonly at: number;
}

type Behave = (sent: Sent) => PeerResponse | Promise<PeerResponse>;

/** Lanes over a real database, to peers that a test plays. An attestation verifies where it is `YQ==`. */
export class LaneRig {
  readonly sent: Sent[] = [];
  readonly received: { readonly route: string; readonly body: object }[] = [];
  readonly peers = new Map<string, Peer['status']>();
  /** Milliseconds since 2026-03-01T10:00. */
  now = 1_000;
  most = 0;
  /** Transactions that gave lanes out, took them back or renewed their leases. */
  exchanges = 0;
  behave: Behave = () => applied();
  onReceived: () => void = () => undefined;
  /** Where an answer is taken: what the database does then. */
  onTaken: () => void = () => undefined;
  private underWay = 0;
  private readonly running: DeliverLanes[] = [];

  constructor(private readonly database: TestDatabase) {}

  peer(status: Peer['status'] = 'ACTIVE'): string {
    const hubId = uuid();
    this.peers.set(hubId, status);
    return hubId;
  }

  async queue(peerHubId: string, messages = 1): Promise<string> {
    const record = sampleRecord();
    await this.database.adapter.unitOfWork.transaction((stores) => stores.records.insert(record));
    await this.queueOn(record.id, peerHubId, 1, messages);
    return record.id;
  }

  async queueOn(recordId: string, peerHubId: string, from: number, messages = 1): Promise<void> {
    await this.database.adapter.unitOfWork.transaction(async (stores) => {
      for (let sequence = from; sequence < from + messages; sequence++)
        await stores.federation.queue({
          messageId: uuid(),
          recordId,
          peerHubId,
          sequence,
          route: 'state-transitions',
          body: Buffer.from(JSON.stringify({ recordId, sequence })),
          statementHash: hex('statement'),
          position: sequence,
          queuedAt: at(sequence),
          former: [],
          answer: null,
        });
    });
  }

  /** A node: ended by `stop`. */
  start(): DeliverLanes {
    const lanes = new DeliverLanes(this.parts(), this.database.adapter.laneNotice);
    lanes.start();
    this.running.push(lanes);
    return lanes;
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map((lanes) => lanes.stop()));
  }

  private parts(): LaneParts {
    const { adapter } = this.database;
    const peer = (hubId: string): Peer | null => {
      const status = this.peers.get(hubId);
      return status ? ({ hubId, status } as Peer) : null;
    };
    return {
      unitOfWork: {
        transaction: (work) => {
          this.exchanges++;
          return adapter.unitOfWork.transaction(work);
        },
      },
      lanes: adapter.reads.federationLanes,
      outgoing: adapter.reads.federation,
      peers: {
        find: (hubId) => Promise.resolve(peer(hubId)),
        hubIds: () => Promise.resolve([...this.peers.keys()]),
        all: () => Promise.resolve([...this.peers.keys()].map((id) => peer(id)!)),
      },
      transport: { post: ({ hubId }, _path, body) => this.post(hubId, body) },
      signAnew: { fresh: (message) => Promise.resolve(message), refresh: () => Promise.resolve() },
      take: { execute: (message, answer) => this.take(message, answer as PeerAnswer) },
      receive: {
        of: (route, _peer, body) => {
          this.received.push({ route, body });
          this.onReceived();
          return Promise.resolve({ messageId: '', outcome: 'applied', attestation: '' });
        },
      },
      awaitHome: { moved: () => undefined },
      json: new InlineJsonReader({ maxDepth: 64 }),
      clock: { now: () => new Date(at(this.now)) },
      ids: { next: uuid },
      log: { error: (_fields, message) => void this.faults.push(message) },
    };
  }

  readonly faults: string[] = [];
  /** Why an attestation does not verify. */
  fault = 'The attestation does not verify.';

  private async post(peerHubId: string, body: Uint8Array): Promise<PeerResponse> {
    const { recordId, sequence } = JSON.parse(Buffer.from(body).toString()) as Sent;
    const sent = { peerHubId, recordId, sequence, at: performance.now() };
    this.sent.push(sent);
    this.most = Math.max(this.most, ++this.underWay);
    try {
      return await this.behave(sent);
    } finally {
      this.underWay--;
    }
  }

  private async take(message: LaneHead, { attestation }: PeerAnswer): Promise<void> {
    if (attestation !== 'YQ==') throw new NotaryError('UNPROCESSABLE', this.fault);
    this.onTaken();
    await this.database.adapter.unitOfWork.transaction((stores) =>
      stores.federation.answered(message.messageId, {
        outcome: 'applied',
        attestation: bytes(randomBytes(4).toString('hex')),
        answeredAt: at(this.now),
      }),
    );
  }
}

export const answerOf = (status: number, body: object | string): PeerResponse => ({
  status,
  retryAfterSeconds: null,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

export const applied = (members: object = {}): PeerResponse =>
  answerOf(200, { messageId: 'm', outcome: 'applied', attestation: 'YQ==', ...members });
