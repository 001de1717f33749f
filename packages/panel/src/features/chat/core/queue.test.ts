import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  needsConfirmation,
  enqueueMessage,
  isBlockedByEarlier,
  messagesToSend,
  confirmAfterMs,
  pauseAfter,
  type Queue,
  requeueInterrupted,
  remove,
  retry,
  applyOutcome,
  startSending,
} from './queue.ts'

const now = Date.parse('2026-03-01T10:00:00.000Z')
const writtenMessage = (clientId: string, room = 1, sentAt = now) => ({
  clientId,
  user: 4,
  room,
  kind: 'message' as const,
  text: clientId,
  attachments: [],
  replyTo: null,
  quoted: null,
  at: new Date(sentAt).toISOString(),
})
const queueOf = (...ids: string[]): Queue =>
  ids.reduce<Queue>((queue, id) => enqueueMessage(queue, writtenMessage(id)), [])
const ids = (queue: Queue) => queue.map(({ clientId }) => clientId)

describe('the queue', () => {
  it('sends one message of a room at a time, in the order of writing', () => {
    let queue = queueOf('a', 'b')
    queue = enqueueMessage(queue, writtenMessage('x', 2))
    expect(ids(messagesToSend(queue, now))).toEqual(['a', 'x'])
    queue = startSending(queue, 'a')
    expect(ids(messagesToSend(queue, now))).toEqual(['x'])
    queue = applyOutcome(queue, 'a', { is: 'taken' })
    expect(ids(messagesToSend(queue, now))).toEqual(['b', 'x'])
  })

  it('blocks later messages of a room behind a refused one, and continues in other rooms', () => {
    let queue = enqueueMessage(queueOf('a', 'b'), writtenMessage('x', 2))
    queue = applyOutcome(startSending(queue, 'a'), 'a', { is: 'refused', reason: 'no' })
    expect(ids(messagesToSend(queue, now))).toEqual(['x'])
    expect(queue.map((outgoingMessage) => isBlockedByEarlier(queue, outgoingMessage, now))).toEqual([
      false,
      true,
      false,
    ])
    expect(ids(messagesToSend(retry(queue, 'a'), now))).toEqual(['a', 'x'])
    expect(ids(messagesToSend(remove(queue, new Set(['a'])), now))).toEqual(['b', 'x'])
  })

  it('retries an unanswered message with growing pauses', () => {
    const queue = applyOutcome(startSending(queueOf('a'), 'a'), 'a', { is: 'lost' })
    expect(queue).toMatchObject([{ state: 'queued', tries: 1 }])
    expect(requeueInterrupted(startSending(queue, 'a'))).toMatchObject([{ state: 'queued' }])
    expect([1, 2, 3, 10].map(pauseAfter)).toEqual([1_000, 2_000, 4_000, 30_000])
  })

  it('asks about a message that has waited for longer than a day, and blocks later messages', () => {
    const queue = enqueueMessage(
      enqueueMessage([], writtenMessage('a', 1, now - confirmAfterMs - 1)),
      writtenMessage('b'),
    )
    expect(queue.map((outgoingMessage) => needsConfirmation(outgoingMessage, now))).toEqual([true, false])
    expect(messagesToSend(queue, now)).toEqual([])
    expect(queue.map((outgoingMessage) => isBlockedByEarlier(queue, outgoingMessage, now))).toEqual([false, true])
    expect(ids(messagesToSend(retry(queue, 'a'), now))).toEqual(['a'])
  })

  it('delivers messages in order and never twice, whichever responses are lost', () => {
    const actionsArbitrary = fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('write' as const), room: fc.integer({ min: 1, max: 3 }) }),
        fc.record({
          do: fc.constant('send' as const),
          fate: fc.constantFrom('taken', 'no answer', 'never came', 'no'),
        }),
        fc.record({ do: fc.constantFrom('reload' as const, 'retry' as const, 'remove' as const) }),
      ),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(actionsArbitrary, (plan) => {
        let queue: Queue = []
        let count = 0
        const server = new Map<number, string[]>()
        const removedIds = new Set<string>()
        const deliverMessage = (deliveryResult: string) => {
          for (const { clientId, room } of messagesToSend(queue, now)) {
            queue = startSending(queue, clientId)
            const serverMessages = server.get(room) ?? []
            if ((deliveryResult === 'taken' || deliveryResult === 'no answer') && !serverMessages.includes(clientId))
              server.set(room, [...serverMessages, clientId])
            if (deliveryResult === 'no') queue = applyOutcome(queue, clientId, { is: 'refused', reason: 'no' })
            else queue = applyOutcome(queue, clientId, { is: deliveryResult === 'taken' ? 'taken' : 'lost' })
          }
        }
        for (const act of plan) {
          if (act.do === 'write') {
            count += 1
            queue = enqueueMessage(queue, writtenMessage(String(count).padStart(3, '0'), act.room))
          } else if (act.do === 'send') deliverMessage(act.fate)
          else if (act.do === 'reload') queue = requeueInterrupted(queue)
          else {
            const failedMessage = queue.find(({ state }) => state === 'failed')
            if (failedMessage && act.do === 'retry') queue = retry(queue, failedMessage.clientId)
            if (failedMessage && act.do === 'remove') {
              removedIds.add(failedMessage.clientId)
              queue = remove(queue, new Set([failedMessage.clientId]))
            }
          }
        }
        for (let step = 0; step < 100; step += 1) {
          for (const { clientId, state } of queue) if (state === 'failed') queue = retry(queue, clientId)
          deliverMessage('taken')
        }
        const arrivedRooms = [...server.values()]
        for (const serverMessages of arrivedRooms)
          expect(serverMessages).toEqual([...new Set(serverMessages)].toSorted())
        const allIds = Array.from({ length: count }, (_, index) => String(index + 1).padStart(3, '0'))
        expect(arrivedRooms.flat().toSorted()).toEqual(
          expect.arrayContaining(allIds.filter((messageId) => !removedIds.has(messageId))),
        )
      }),
    )
  })
})
