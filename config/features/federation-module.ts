import { ContainerModule } from 'inversify';
import { PeerClient } from '../../adapters/federation/peer-client.ts';
import { AesHubKeySecrets } from '../../adapters/keys/aes-hub-key-secrets.ts';
import { limitKeyOfAddress } from '../../adapters/limits/client-address.ts';
import { Budgets } from '../../application/call/budgets.ts';
import { AwaitHome } from '../../application/sharing/await-home.ts';
import { DeliverLanes } from '../../application/federation/deliver-lanes.ts';
import { ListFederationDlq } from '../../application/federation/list-federation-dlq.ts';
import { PeerInbox } from '../../application/federation/peer-inbox.ts';
import { PeerReturned } from '../../application/federation/peer-returned.ts';
import { ReceiveMessage } from '../../application/federation/receive-message.ts';
import { ReceiveSignal } from '../../application/federation/receive-signal.ts';
import { ReceiveStateTransition } from '../../application/federation/receive-state-transition.ts';
import { RecoverFederationDlq } from '../../application/federation/recover-federation-dlq.ts';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { ActOnPeer } from '../../application/federation/act-on-peer.ts';
import { AdmitPeer } from '../../application/federation/admit-peer.ts';
import { ApprovePeer } from '../../application/federation/approve-peer.ts';
import { GreetPeers } from '../../application/federation/greet-peers.ts';
import { HubIdentity } from '../../application/federation/hub-identity.ts';
import { HubKeys } from '../../application/federation/hub-keys.ts';
import { MoveHubKeys } from '../../application/federation/move-hub-keys.ts';
import { PeerVaultKeys } from '../../application/federation/peer-vault-keys.ts';
import { GetPeer } from '../../application/federation/get-peer.ts';
import { ListPeers } from '../../application/federation/list-peers.ts';
import { ReceiveHandshake } from '../../application/federation/receive-handshake.ts';
import { SignAnew } from '../../application/federation/sign-anew.ts';
import { RefusedMessages } from '../../application/federation/refused-messages.ts';
import { RegisterPeer } from '../../application/federation/register-peer.ts';
import { ResumePeer } from '../../application/federation/resume-peer.ts';
import { DetachPeer } from '../../application/federation/detach-peer.ts';
import { RevokePeer } from '../../application/federation/revoke-peer.ts';
import { RollHubKey } from '../../application/federation/roll-hub-key.ts';
import { SuspendPeer } from '../../application/federation/suspend-peer.ts';
import { UnprovenBodies } from '../../application/federation/unproven-bodies.ts';
import { UpdatePeer } from '../../application/federation/update-peer.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { peerBodyBytes } from '../peer-bodies.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Other hubs: peers, and messages to and from them. */
export const federationModule = new ContainerModule((options) => {
  // Peers, the hub key and requests.
  provideBy(options, t.hubKeySecrets, ({ secretsKey }) => new AesHubKeySecrets(secretsKey), [
    t.secrets,
  ]);
  provide(options, HubKeys, [
    t.hubKeyReads,
    t.hubKeySecrets,
    t.unitOfWork,
    SealPlatform,
    PlatformLedger,
    Vault,
    t.cryptoCapabilities,
    t.clock,
    t.ids,
  ]);
  provide(options, MoveHubKeys, [t.unitOfWork, t.hubKeyReads, t.hubKeySecrets]);
  provideBy(
    options,
    HubIdentity,
    (vault, keys, { HUB_NAME, PUBLIC_URL }) => new HubIdentity(vault, keys, HUB_NAME, PUBLIC_URL),
    [Vault, HubKeys, t.settings],
  );
  provideBy(
    options,
    t.peerTransport,
    (egress, keys, hub, clock, { MAX_BODY_BYTES }) =>
      // An answer may bring home's next messages along.
      new PeerClient(egress, keys, hub, clock, 2 * peerBodyBytes(MAX_BODY_BYTES)),
    [t.egressPost, HubKeys, HubIdentity, t.clock, t.settings],
  );
  provide(options, GreetPeers, [
    t.peerReads,
    HubIdentity,
    HubKeys,
    t.peerTransport,
    t.unitOfWork,
    t.clock,
    t.log,
  ]);
  provide(options, RegisterPeer, [
    IdempotentTransaction,
    SealPlatform,
    PlatformLedger,
    HubIdentity,
    HubKeys,
    GreetPeers,
    t.clock,
    t.ids,
    t.peerAddresses,
  ]);
  provide(options, ApprovePeer, [
    IdempotentTransaction,
    SealPlatform,
    PlatformLedger,
    HubKeys,
    GreetPeers,
    t.clock,
    t.ids,
    t.peerAddresses,
  ]);
  provide(options, ActOnPeer, [IdempotentTransaction, SealPlatform, t.clock]);
  provide(options, UpdatePeer, [ActOnPeer, t.peerAddresses]);
  provide(options, SuspendPeer, [ActOnPeer]);
  provide(options, ResumePeer, [ActOnPeer]);
  provide(options, RevokePeer, [ActOnPeer, DetachPeer, t.clock]);
  provide(options, RollHubKey, [
    IdempotentTransaction,
    SealPlatform,
    HubKeys,
    GreetPeers,
    Vault,
    t.clock,
  ]);
  provide(options, GetPeer, [t.peerReads, t.clock]);
  provide(options, ListPeers, [t.peerReads, t.clock]);
  provide(options, AdmitPeer, [t.peerReads, t.unitOfWork, t.clock]);
  provide(options, ReceiveHandshake, [
    AdmitPeer,
    t.unitOfWork,
    SealPlatform,
    PlatformLedger,
    HubIdentity,
    GreetPeers,
    t.clock,
    t.ids,
  ]);
  provide(options, PeerVaultKeys, [
    t.peerReads,
    t.peerKeyStatementReads,
    t.egressClient,
    t.unitOfWork,
    t.clock,
    t.log,
  ]);
  provide(options, RefusedMessages, [t.refusedMessages, t.refusals]);
  provideBy(
    options,
    UnprovenBodies,
    ({ MAX_BODY_BYTES }) => new UnprovenBodies(peerBodyBytes(MAX_BODY_BYTES), limitKeyOfAddress),
    [t.settings],
  );
  // Delivery of messages.
  provideBy(
    options,
    AwaitHome,
    (records) =>
      new AwaitHome(async (recordId, sequence) => {
        const found = await records.find(recordId);
        return found?.record.federation?.pendingStep?.sequence === sequence;
      }),
    [t.recordReads],
  );
  provideBy(options, t.homeWait, (wait) => wait, [AwaitHome]);
  provideBy(
    options,
    ReceiveMessage,
    (transitions, signals, reads, wait, budgets) =>
      new ReceiveMessage(
        transitions,
        signals,
        (...asked) => reads.mirrorOf(...asked),
        wait,
        budgets,
      ),
    [ReceiveStateTransition, ReceiveSignal, t.federationReads, AwaitHome, Budgets],
  );
  provide(options, SignAnew, [Vault, t.unitOfWork, t.clock]);
  provide(options, PeerReturned, [t.laneReads, t.unitOfWork, t.clock]);
  provideBy(options, t.peerReceivers, (...parts) => new PeerInbox(...parts), [
    ReceiveMessage,
    t.federationReads,
    PeerReturned,
  ]);
  provideBy(
    options,
    DeliverLanes,
    (
      unitOfWork,
      lanes,
      outgoing,
      peers,
      transport,
      signAnew,
      take,
      receive,
      awaitHome,
      json,
      clock,
      ids,
      log,
      notice,
    ) =>
      new DeliverLanes(
        {
          unitOfWork,
          lanes,
          outgoing,
          peers,
          transport,
          signAnew,
          take,
          receive,
          awaitHome,
          json,
          clock,
          ids,
          log,
        },
        notice,
      ),
    [
      t.unitOfWork,
      t.laneReads,
      t.federationReads,
      t.peerReads,
      t.peerTransport,
      SignAnew,
      TakeAnswer,
      ReceiveMessage,
      AwaitHome,
      t.peerJsonReader,
      t.clock,
      t.ids,
      t.log,
      t.laneNotice,
    ],
  );
  provide(options, ListFederationDlq, [t.laneReads]);
  provide(options, RecoverFederationDlq, [IdempotentTransaction, t.clock]);
});
