/**
 * The long proofs of the chat, one step each: promises that hold however connections, servers and clients
 * fail (chat §8).
 */
import { type ChaosDose, chatChaos } from './chaos.ts'
import { chatCrowd } from './crowd.ts'
import { chatCuts } from './cuts.ts'
import { chatServers, type ServersDose } from './servers.ts'
import { type SoakDose, soakStep } from './soak.ts'
import type { Proof } from '../../lib/step.ts'

interface ChatDose {
  cuts: number
  crowd: number
  chaos: ChaosDose
  servers: ServersDose
  soak: SoakDose
}

const doses: Readonly<Record<'small' | 'full', ChatDose>> = {
  small: {
    cuts: 20,
    crowd: 100,
    chaos: { customers: 8, consultants: 3, seconds: 5, tick: 2 },
    servers: { messages: 100, cuts: 2, tick: 1 },
    soak: { customers: 12, consultants: 3, messages: 200, kills: 1, reconnects: 5, tick: 2, minutes: 2 },
  },
  full: {
    cuts: 100,
    crowd: 1_000,
    chaos: { customers: 20, consultants: 5, seconds: 300, tick: 20 },
    servers: { messages: 1_000, cuts: 10, tick: 20 },
    soak: { customers: 200, consultants: 20, messages: 10_000, kills: 10, reconnects: 200, tick: 20, minutes: 30 },
  },
}

/** Returns every proof of the chat in a dose; the first proof measures milliseconds. */
export function chatProofs(dose: 'small' | 'full'): readonly Proof[] {
  const { cuts, crowd, chaos, servers, soak } = doses[dose]
  const soaked = `${soak.customers} customers, ${soak.messages} messages, ${soak.kills} kills, ${soak.reconnects} cuts`
  const beside = (name: string, run: Proof['run']): Proof => ({ name, parallel: true, run })
  return [
    { name: `Proof: two servers, their connections killed ${servers.cuts} times`, run: () => chatServers(servers) },
    beside(`Proof: a message cut off ${cuts} times and sent again is there once`, () => chatCuts(cuts)),
    beside(`Proof: 20 people write ${crowd} messages into one room at once`, () => chatCrowd(crowd)),
    beside(`Proof: 30 % of events lost, 30 % twice, ${chaos.seconds} s`, () => chatChaos(chaos)),
    beside(`Proof: chat on PGlite, ${soaked}`, () => soakStep(soak, 'embedded')),
    beside(`Proof: chat on two servers, ${soaked}`, () => soakStep(soak, 'two servers')),
  ]
}
