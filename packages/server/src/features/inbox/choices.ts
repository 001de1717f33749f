/** Reads and stores how each kind of notices reaches a user. */
import {
  type Caller,
  type ChosenKind,
  type LetterChoice,
  letterChoices,
  type NoticeChoices,
  noticeDeclarations,
  noticeKindsOf,
  type SentChoices,
  unprocessableFault,
} from '@dala/model'
import { sql } from '../../db/sql.ts'
import type { Queries, Transaction } from '../../db/database.ts'

interface StoredChoice {
  kind: string
  channel: 'inbox' | 'letter' | 'push'
  choice: string
}

/** Returns the choices of a user for the kinds that they can receive. */
export async function readChoices(queries: Pick<Queries, 'query'>, caller: Caller): Promise<NoticeChoices> {
  const storedChoices = await queries.query(
    sql<StoredChoice>`select kind, channel, choice from notice_choices where user_id = ${caller.id}`,
  )
  const choiceByKey = new Map(storedChoices.map(({ kind, channel, choice }) => [`${kind} ${channel}`, choice]))
  const letterOf = (kind: ChosenKind): LetterChoice =>
    letterChoices.find((choice) => choice === choiceByKey.get(`${kind} letter`)) ?? noticeDeclarations[kind].letter
  const isOn = (kind: ChosenKind, channel: 'inbox' | 'push') => {
    const choice = choiceByKey.get(`${kind} ${channel}`)
    return choice === undefined ? noticeDeclarations[kind][channel] : choice !== 'off'
  }
  return {
    kinds: noticeKindsOf(caller).map((kind) => ({
      kind,
      inbox: isOn(kind, 'inbox'),
      letter: letterOf(kind),
      push: isOn(kind, 'push'),
    })),
  }
}

/**
 * Stores choices of a user.
 *
 * @returns All choices.
 * @throws 422 for a kind that the user does not receive.
 */
export async function storeChoices(trx: Transaction, caller: Caller, sentChoices: SentChoices): Promise<NoticeChoices> {
  const ownKinds = noticeKindsOf(caller)
  const unknownKind = Object.keys(sentChoices).find((kind) => !ownKinds.some((ownKind) => ownKind === kind))
  if (unknownKind !== undefined)
    throw unprocessableFault([
      { path: ['kinds', unknownKind], code: 'validation.choice', params: { values: ownKinds.join(', ') } },
    ])
  const toChoice = (on: boolean) => (on ? 'now' : 'off')
  const rows = Object.entries(sentChoices).flatMap(([kind, { inbox, letter, push }]): StoredChoice[] => [
    ...(typeof inbox === 'boolean' ? [{ kind, channel: 'inbox', choice: toChoice(inbox) } as const] : []),
    ...(letter ? [{ kind, channel: 'letter', choice: letter } as const] : []),
    ...(typeof push === 'boolean' ? [{ kind, channel: 'push', choice: toChoice(push) } as const] : []),
  ])
  await trx.query(sql`
    insert into notice_choices (user_id, kind, channel, choice)
    select ${caller.id}, r.kind, r.channel, r.choice
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(kind text, channel text, choice text)
    on conflict (user_id, kind, channel) do update set choice = excluded.choice`)
  return readChoices(trx, caller)
}
