/** Requests that must happen once: the same key and body get the first answer again (contract §4, checklist §6). */
import { createHash } from 'node:crypto'
import { type Caller, fault } from '@dala/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database, Queries, Transaction } from '../../db/database.ts'
import { writing } from './write.ts'

const maxKeyLength = 255

/** What was sent: the same request has the same one. `extra` stands for parts that are not in the body (files). */
function digestOf({ method, url, body }: FastifyRequest, extra: string): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null, extra]))
    .digest('hex')
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || key.length > maxKeyLength) throw fault('request.header')
  return key
}

interface Kept<A> {
  digest: string
  status: number
  answer: A
}

/**
 * Runs a write and its answer in one transaction; with an `Idempotency-Key` at most once in 24 hours for its caller.
 *
 * In: the request and the work, which answers from within the transaction. Out: the answer; the first one, with its
 * status, when the key has been used for the same request. Throws 422 when it was used for another one. The key is
 * stored with the write, so neither a crash nor a second instance can let it pass twice; a refused write leaves none.
 */
export async function answerOnce<T>(asked: Asked, work: (trx: Transaction) => Promise<T>, extra?: string): Promise<T> {
  const { answer } = await answerFirst(asked, work, (result) => Promise.resolve(result), extra)
  return answer
}

interface Asked {
  database: Database
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer, and whether it is the first one to its key. */
export interface Answered<A> {
  answer: A
  isFirst: boolean
}

/**
 * As `answerOnce`, for answers that one statement reads after the write, and for requests with more than their JSON body.
 *
 * @param asked - The request, and who sends it.
 * @param work - The write.
 * @param last - Reads the answer with one statement; without a key that one leaves together with the commit.
 * @param extra - Text that is equal for equal files.
 * @returns The answer.
 * @throws 422 for a key that was used for another request.
 */
export async function answerFirst<T, A>(
  { database, caller, request, reply }: Asked,
  work: (trx: Transaction) => Promise<T>,
  last: (result: T, queries: Queries) => Promise<A>,
  extra = '',
): Promise<Answered<A>> {
  const key = keyOf(request)
  if (key === undefined) return { answer: await writing(database, work, last), isFirst: true }
  const digest = digestOf(request, extra)
  return writing(database, async (trx) => {
    await trx.query(
      sql`delete from idempotency_keys where user_id = ${caller.id} and created_at < now() - interval '24 hours'`,
    )
    // A second request with the key waits here for the first one to end.
    const [claimed] = await trx.query(sql`
      insert into idempotency_keys (user_id, key, digest) values (${caller.id}, ${key}, ${digest})
      on conflict do nothing returning key`)
    if (!claimed) {
      const [kept] = await trx.query(sql<Kept<A>>`
        select digest, status, answer from idempotency_keys where user_id = ${caller.id} and key = ${key}`)
      if (!kept || kept.digest !== digest) throw fault('request.key-reused')
      reply.status(kept.status).header('idempotent-replayed', 'true')
      return { answer: kept.answer, isFirst: false }
    }
    const answer = await last(await work(trx), trx)
    await trx.query(sql`
      update idempotency_keys set status = ${reply.statusCode}, answer = ${JSON.stringify(answer)}::json
       where user_id = ${caller.id} and key = ${key}`)
    return { answer, isFirst: true }
  })
}
