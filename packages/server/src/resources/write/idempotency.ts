/** Idempotent requests: the same key and body get the first answer again (contract §4, checklist §6). */
import { createHash } from 'node:crypto'
import { type Caller, fault } from '@dala/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Database, Queries, Transaction } from '../../db/database.ts'
import { withDeadlockRetry } from './write.ts'

const maxKeyLength = 255

/**
 * Digest of an idempotent request, equal for equal requests. `extra` stands for parts outside the body
 * (files).
 */
function digestOf({ method, url, body }: FastifyRequest, filesDigest: string): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body ?? null, filesDigest]))
    .digest('hex')
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || key.length > maxKeyLength) throw fault('request.header')
  return key
}

interface StoredAnswer<A> {
  digest: string
  status: number
  answer: A
}

/**
 * Runs a write and reads its answer in one transaction; with an `Idempotency-Key` at most once in 24 hours
 * per caller. The key is stored with the write, so neither a crash nor a second instance can let it pass
 * twice. A refused write stores none.
 *
 * @param call - The request and its caller.
 * @param runWork - The write, which returns its answer within the transaction.
 * @param extraKey - Text that is equal for equal files.
 * @returns The answer; for a repeated key the first answer with its status.
 * @throws 422 for a key that was used for another request.
 */
export async function answerIdempotently<T>(
  call: KeyedCall,
  runWork: (trx: Transaction) => Promise<T>,
  extraKey?: string,
): Promise<T> {
  const { answer } = await createAnswer(call, runWork, (result) => Promise.resolve(result), extraKey)
  return answer
}

interface KeyedCall {
  database: Database
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

/** An answer to a write, and whether it is the first answer for its idempotency key. */
export interface AnsweredWrite<A> {
  answer: A
  isFirst: boolean
}

/**
 * Does the same as `answerIdempotently`, for answers that one statement reads after
 * the write, and for requests with more than a JSON body.
 *
 * @param call - The request and its caller.
 * @param runWork - The write.
 * @param finishAnswer - Reads the answer with one statement; without a key it is sent together with the commit.
 * @param filesDigest - Text that is equal for equal files.
 * @returns The answer.
 * @throws 422 for a key that was used for another request.
 */
export async function createAnswer<T, A>(
  { database, caller, request, reply }: KeyedCall,
  runWork: (trx: Transaction) => Promise<T>,
  finishAnswer: (result: T, queries: Queries) => Promise<A>,
  filesDigest = '',
): Promise<AnsweredWrite<A>> {
  const key = keyOf(request)
  if (key === undefined) return { answer: await withDeadlockRetry(database, runWork, finishAnswer), isFirst: true }
  const digest = digestOf(request, filesDigest)
  return withDeadlockRetry(database, async (trx) => {
    await trx.query(
      sql`delete from idempotency_keys where user_id = ${caller.id} and created_at < now() - interval '24 hours'`,
    )
    // A second request with the same idempotency key waits here until the first one ends.
    const [claimedKey] = await trx.query(sql`
      insert into idempotency_keys (user_id, key, digest) values (${caller.id}, ${key}, ${digest})
      on conflict do nothing returning key`)
    if (!claimedKey) {
      const [storedAnswer] = await trx.query(sql<StoredAnswer<A>>`
        select digest, status, answer from idempotency_keys where user_id = ${caller.id} and key = ${key}`)
      if (!storedAnswer || storedAnswer.digest !== digest) throw fault('request.key-reused')
      reply.status(storedAnswer.status).header('idempotent-replayed', 'true')
      return { answer: storedAnswer.answer, isFirst: false }
    }
    const answer = await finishAnswer(await runWork(trx), trx)
    await trx.query(sql`
      update idempotency_keys set status = ${reply.statusCode}, answer = ${JSON.stringify(answer)}::json
       where user_id = ${caller.id} and key = ${key}`)
    return { answer, isFirst: true }
  })
}
