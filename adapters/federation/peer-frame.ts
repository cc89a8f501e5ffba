import type { Budgets } from '../../application/call/budgets.ts';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import { type AdmitPeer, type PeerHead } from '../../application/federation/admit-peer.ts';
import type { RefusedMessages } from '../../application/federation/refused-messages.ts';
import type { UnprovenBodies } from '../../application/federation/unproven-bodies.ts';
import {
  PEER_HEADERS,
  type ClaimedRequest,
  type PeerPath,
} from '../../domain/federation/request-signature.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { bodyRefusal } from '../http/json-body.ts';
import { readJsonBody } from '../http/request-body.ts';

export interface PeerFrameParts {
  readonly admit: AdmitPeer;
  readonly budgets: Budgets;
  readonly bodies: UnprovenBodies;
  readonly refused: Pick<RefusedMessages, 'tell'>;
  readonly json: JsonReader;
  readonly clientAddress: ClientAddress;
  /** Shows a refusal as a problem document. */
  refuse(exchange: HttpExchange, cause: unknown): void;
}

/** One request of a hub, on its way through the refusals. */
export class PeerRequest {
  readonly call: HttpCall;
  /** Of whom the request is beyond doubt; set once a signature and a nonce were good. */
  provenHubId: Uuid | null = null;
  private bodyLength = 0;
  private release: () => void = () => undefined;

  constructor(
    private readonly parts: PeerFrameParts,
    readonly exchange: HttpExchange,
    private readonly path: PeerPath,
    private readonly maxBodyBytes: number,
  ) {
    this.call = new HttpCall(exchange, parts.clientAddress, maxBodyBytes);
  }

  /** 429 of an address that failed too often; 401 of the forms of the headers, and of a path that is not literally this one. */
  async claim(): Promise<ClaimedRequest> {
    const { admit, budgets } = this.parts;
    const { request } = this.exchange;
    await budgets.assertMayAuthenticate(this.call.address, () => false, this.call.allow);
    const header = (name: string): string | undefined => request.header(name.toLowerCase());
    const isLiteral = request.target === this.path;
    const head: PeerHead = {
      path: this.path,
      hubId: isLiteral ? header(PEER_HEADERS.hubId) : undefined,
      timestamp: header(PEER_HEADERS.timestamp),
      nonce: header(PEER_HEADERS.nonce),
      signature: header(PEER_HEADERS.signature),
    };
    return admit.claim(head);
  }

  /** 429, 415 and 413. Whatever is read is at the cost of the address until a signature vouches for it. */
  async readBody(): Promise<Uint8Array> {
    const announced = this.exchange.request.header('content-length');
    const bytes = announced === undefined ? null : Number(announced);
    this.release = this.parts.bodies.hold(this.call.address, bytes);
    const body = await readJsonBody(this.exchange.request, this.maxBodyBytes);
    this.bodyLength = body.length;
    return body;
  }

  /** The rest is at the cost of this peer, and of no address. 429 beyond its quota. */
  async proven(hubId: Uuid): Promise<void> {
    this.provenHubId = hubId;
    this.release();
    await this.parts.budgets.chargePeer(hubId, this.bodyLength, this.call.allow);
  }

  async parse(body: Uint8Array, sender: string): Promise<JsonValue> {
    try {
      return await this.parts.json.read(body, sender);
    } catch (error) {
      throw bodyRefusal(error);
    }
  }

  async refuse(error: unknown): Promise<void> {
    const { budgets, refused, refuse } = this.parts;
    if (error instanceof NotaryError) {
      const isUnproven = this.provenHubId === null && error.entry.kind !== 'rate-limited';
      if (isUnproven)
        await budgets.chargeFailedAuthentication(
          this.call.address,
          this.call.allow,
          this.bodyLength,
        );
      // What a stranger says is told where it poses as somebody.
      const isOfInterest = this.provenHubId === null ? isUnauthenticated : isTold;
      if (isOfInterest(error)) refused.tell(error, this.provenHubId, this.call);
    }
    refuse(this.exchange, error);
  }

  end(): void {
    this.release();
  }
}

const isUnauthenticated = ({ entry: { kind } }: NotaryError): boolean => kind === 'unauthenticated';

/** A gap in the sequence, or a service that is busy, is part of the protocol. */
const isTold = ({ entry: { kind } }: NotaryError): boolean =>
  kind === 'unauthenticated' ||
  kind === 'malformed' ||
  kind === 'unprocessable' ||
  kind === 'too-large';
