/** Lets a cast play: a client for everybody, and each goes on until the scene ends. */
import { Draws } from '../lib/draws.ts'
import { ChatClient } from './client.ts'
import { playConsultant } from './consultant.ts'
import { playCustomer } from './customer.ts'
import type { Fate } from './ear.ts'
import type { Cast, Person } from './people.ts'
import type { Scene } from './scene.ts'

export interface Ensemble {
  clients: readonly ChatClient[]
  /** Resolves when everybody has come to his end. */
  played: Promise<unknown>
}

export interface Staging {
  cast: Cast
  scene: Scene
  /** By it everybody's choices are the same in every run; what comes first between them is not. */
  seed: number
  /** Where the client of a number connects. */
  urlOf: (index: number) => string
  fate?: (() => Fate) | undefined
}

/** Begins. Whoever fails by an error, rather than a refusal, has it among his faults. */
export function play({ cast, scene, seed, urlOf, fate }: Staging): Ensemble {
  const enter = (me: Person, index: number) =>
    new ChatClient(me, scene.tally, { url: urlOf(index), token: me.token, fate })
  const people = [...cast.customers, ...cast.consultants]
  const clients = people.map(enter)
  const played = clients.map(async (client, index) => {
    const draws = new Draws(seed, index)
    try {
      await (client.me.isConsultant ? playConsultant(client, draws, scene) : playCustomer(client, draws, scene))
    } catch (error) {
      client.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  })
  return { clients, played: Promise.all(played) }
}
