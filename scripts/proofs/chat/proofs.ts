/**
 * The long proofs of the chat, one step each: promises that hold however connections, servers and clients
 * fail (chat §8).
 */
import type { ChaosDose } from './chaos.ts'
import type { ServersDose } from './servers.ts'
import type { SoakDose } from './soak.ts'
import type { ProofStep } from '../../lib/step.ts'

interface ChatDose {
  cutCount: number
  crowdSize: number
  chaos: ChaosDose
  servers: ServersDose
  soak: SoakDose
}

const doses: Readonly<Record<'small' | 'full', ChatDose>> = {
  small: {
    cutCount: 20,
    crowdSize: 100,
    chaos: { customers: 8, consultants: 3, seconds: 5, tick: 2 },
    servers: { messages: 100, cutCount: 2, tick: 1 },
    soak: { customers: 12, consultants: 3, messages: 200, killCount: 1, reconnects: 5, tick: 2, minutes: 2 },
  },
  full: {
    cutCount: 100,
    crowdSize: 1_000,
    chaos: { customers: 20, consultants: 5, seconds: 300, tick: 20 },
    servers: { messages: 1_000, cutCount: 10, tick: 20 },
    soak: { customers: 200, consultants: 20, messages: 10_000, killCount: 10, reconnects: 200, tick: 20, minutes: 30 },
  },
}

/** Returns every proof of the chat in a dose; the first proof measures milliseconds. */
export function chatProofs(dose: 'small' | 'full'): readonly ProofStep[] {
  const { cutCount: cuts, crowdSize: crowd, chaos, servers, soak } = doses[dose]
  const soakDescription = `${soak.customers} customers, ${soak.messages} messages, ${soak.killCount} kills, ${soak.reconnects} cuts`
  const makeParallelProof = (name: string, run: ProofStep['run']): ProofStep => ({ name, parallel: true, run })
  const makeBriefProof = (name: string, run: ProofStep['run']): ProofStep => ({
    ...makeParallelProof(name, run),
    brief: true,
  })
  return [
    {
      name: `Proof: two servers, their connections killed ${servers.cutCount} times`,
      run: async () => (await import('./servers.ts')).chatServers(servers),
    },
    makeBriefProof(`Proof: a message cut off ${cuts} times and sent again is there once`, async () =>
      (await import('./cuts.ts')).proveCuts(cuts),
    ),
    makeBriefProof(`Proof: 20 people write ${crowd} messages into one room at once`, async () =>
      (await import('./crowd.ts')).proveCrowd(crowd),
    ),
    makeBriefProof(`Proof: 30 % of events lost, 30 % twice, ${chaos.seconds} s`, async () =>
      (await import('./chaos.ts')).chatChaos(chaos),
    ),
    makeParallelProof(`Proof: chat on PGlite, ${soakDescription}`, async () =>
      (await import('./soak.ts')).soakStep(soak, 'embedded'),
    ),
    makeParallelProof(`Proof: chat on two servers, ${soakDescription}`, async () =>
      (await import('./soak.ts')).soakStep(soak, 'two servers'),
    ),
  ]
}
