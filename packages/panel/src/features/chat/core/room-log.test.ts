import type { ChatMessage, QuotedMessage, RoomChange, RoomChanges, StoredRoomChange } from '@dala/model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aybek, chatMessage } from '../../../testing/chat-message.ts'
import {
  applyChanges,
  applyPage,
  applyRoomEvent,
  emptyLog,
  recordRev,
  isBehind,
  type MessagesPage,
  type RoomLog,
} from './room-log.ts'

interface StoredSlot {
  id: number
  seq: number
  text: string
  replyTo: number | null
  isNote: boolean
  isDeleted: boolean
}

/** Chat room of the fake server, as one client may see it. */
function newRoom(seesNotes: boolean) {
  const storedSlots: StoredSlot[] = []
  const log: { rev: number; prev: number; type: RoomChange['type']; id: number }[] = []
  let rev = 0
  let visibleCount = 0
  const quoteOf = (id: number | null): QuotedMessage | null => {
    const quotedSlot = storedSlots.find((slot) => slot.id === id)
    if (!quotedSlot) return null
    const { seq, text, isDeleted, isNote } = quotedSlot
    const kind = isNote ? 'note' : 'message'
    return isDeleted ? { id: quotedSlot.id, deleted: true } : { id: quotedSlot.id, seq, sender: aybek, text, kind }
  }
  const show = ({ id, seq, text, replyTo, isNote }: StoredSlot): ChatMessage =>
    chatMessage(seq, { id, text, kind: isNote ? 'note' : 'message', reply_to: replyTo, quoted: quoteOf(replyTo) })
  const visibleSlots = () => storedSlots.filter((slot) => !slot.isDeleted && (seesNotes || !slot.isNote))
  const now = ({ rev: changeRev, prev, type, id }: (typeof log)[number]): StoredRoomChange => {
    const changedSlot = storedSlots.find((slot) => slot.id === id)
    if (!changedSlot || type === 'state')
      return { rev: changeRev, prev, type: 'state', data: { from: 'open', to: 'open', reason: null } }
    if (changedSlot.isDeleted || type === 'deleted')
      return { rev: changeRev, prev, type: 'deleted', data: { id, deleted: true } }
    return { rev: changeRev, prev, type: type === 'created' ? 'created' : 'updated', data: show(changedSlot) }
  }
  const record = (type: RoomChange['type'], id: number, isNote: boolean): RoomChange | undefined => {
    if (isNote && !seesNotes) return undefined
    const entry = { rev, prev: visibleCount, type, id }
    visibleCount = rev
    log.push(entry)
    return now(entry)
  }
  return {
    get rev() {
      return rev
    },
    write(text: string, replyTo: number | null, isNote: boolean) {
      rev += 1
      storedSlots.push({ id: 100 + rev, seq: rev, text, replyTo, isNote, isDeleted: false })
      return record('created', 100 + rev, isNote)
    },
    edit(slotIndex: number, text: string) {
      const editedSlot = visibleSlots()[slotIndex % Math.max(1, visibleSlots().length)]
      if (!editedSlot) return undefined
      rev += 1
      editedSlot.text = text
      return record('updated', editedSlot.id, editedSlot.isNote)
    },
    remove(slotIndex: number) {
      const removedSlot = visibleSlots()[slotIndex % Math.max(1, visibleSlots().length)]
      if (!removedSlot) return undefined
      rev += 1
      removedSlot.isDeleted = true
      return record('deleted', removedSlot.id, removedSlot.isNote)
    },
    move() {
      rev += 1
      return record('state', 0, false)
    },
    pickMessage: (slotIndex: number) => visibleSlots()[slotIndex % Math.max(1, visibleSlots().length)]?.id ?? null,
    all: () => visibleSlots().map(show),
    page(isInPage: (seq: number) => boolean, pageEnd: 'start' | 'end', limit: number): MessagesPage {
      const fittingMessages = visibleSlots().filter(({ seq }) => isInPage(seq))
      const results = (pageEnd === 'end' ? fittingMessages.slice(-limit) : fittingMessages.slice(0, limit)).map(show)
      const [firstSeq, lastSeq] = [results[0]?.seq, results.at(-1)?.seq]
      return {
        results,
        cursor: {
          has_older: visibleSlots().some(({ seq }) => firstSeq !== undefined && seq < firstSeq),
          has_newer: visibleSlots().some(({ seq }) => lastSeq !== undefined && seq > lastSeq),
        },
        rev,
      }
    },
    changes(lastRev: number, limit: number): RoomChanges {
      const freshSlots = log.filter((entry) => entry.rev > lastRev)
      const results = freshSlots.slice(0, limit).map(now)
      return { results, rev: visibleCount, complete: results.length === freshSlots.length, reset: lastRev > rev }
    },
  }
}
type Room = ReturnType<typeof newRoom>

const readNewestPage = (room: Room) => room.page(() => true, 'end', 5)

/** Syncs the room log as a client does when it learns of a revision that it lacks. */
function syncLog(start: RoomLog, room: Room, limit = 7): RoomLog {
  let log = start
  for (let step = 0; step < 500 && isBehind(log); step += 1) {
    if (!log.isLoaded) log = applyPage(log, readNewestPage(room), 'newest')
    else log = applyChanges(log, room.changes(log.rev, limit), log)
  }
  return log
}

/** Loads all other messages of a chat room, in both directions. */
function loadRoomLog(start: RoomLog, room: Room): RoomLog {
  let log = start
  for (let step = 0; step < 500 && (log.hasOlder || log.hasNewer || isBehind(log)); step += 1) {
    const [firstSeq, lastSeq] = [log.messages[0]?.seq ?? Infinity, log.messages.at(-1)?.seq ?? 0]
    if (isBehind(log)) log = syncLog(log, room)
    else if (log.hasOlder)
      log = applyPage(
        log,
        room.page((seq) => seq < firstSeq, 'end', 5),
        'older',
      )
    else
      log = applyPage(
        log,
        room.page((seq) => seq > lastSeq, 'start', 5),
        'newer',
      )
  }
  return log
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write'), at: fc.nat(50), reply: fc.boolean(), note: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('edit', 'remove', 'move'), at: fc.nat(50) }) },
  // Request of the simulated client, with the number of steps after which its response arrives.
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('changes', 'newest', 'older', 'newer', 'around'),
      at: fc.nat(50),
      delay: fc.nat(6),
    }),
  },
)
/** Number of times that a chat event arrives, 0 to 2, and the delay of each arrival. */
const delivery = fc.record({ fate: fc.nat(9), late: fc.tuple(fc.nat(5), fc.nat(5)) })

describe('the room log', () => {
  it('ignores changes of messages before the page when a new window of the room log begins', () => {
    const page = (startSeq: number, endSeq: number, rev: number): MessagesPage => ({
      results: Array.from({ length: endSeq - startSeq + 1 }, (_, index) =>
        chatMessage(startSeq + index, { id: startSeq + index }),
      ),
      cursor: { has_older: startSeq > 1, has_newer: false },
      rev,
    })
    const editedEvent = { rev: 10, prev: 9, type: 'updated', data: chatMessage(2, { id: 2, text: 'Edited' }) } as const
    const log = applyPage(
      applyRoomEvent(applyPage(emptyLog, page(4, 8, 8), 'newest'), editedEvent),
      page(5, 9, 9),
      'newest',
    )
    expect(log.messages.map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9])
    expect(log.rev).toBe(10)
  })

  it('equals the messages of the server after a final sync, whatever was lost, repeated and late', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.tuple(step, delivery), { maxLength: 60 }), (seesNotes, plan) => {
        const room = newRoom(seesNotes)
        let log = applyPage(emptyLog, readNewestPage(room), 'newest')
        const dueAnswers: { at: number; run: () => void }[] = []
        const applyEvent = (change: RoomChange) => {
          log = applyRoomEvent(log, change)
        }
        plan.forEach(([act, { fate, late }], time) => {
          for (const { run } of dueAnswers.filter(({ at }) => at === time)) run()
          const change =
            'reply' in act
              ? room.write(`m${time}`, act.reply ? room.pickMessage(act.at) : null, act.note)
              : act.do === 'edit'
                ? room.edit(act.at, `e${time}`)
                : act.do === 'remove'
                  ? room.remove(act.at)
                  : act.do === 'move'
                    ? room.move()
                    : undefined
          // The simulated network loses 30 % of the events and delivers 30 % twice.
          const times = fate < 3 ? 0 : fate < 6 ? 2 : 1
          if (change) {
            for (const wait of late.slice(0, times)) {
              if (wait === 0) applyEvent(change)
              else dueAnswers.push({ at: time + wait, run: () => applyEvent(change) })
            }
          }
          if (!('delay' in act)) return
          const requestedLog = log
          const [firstSeq, lastSeq] = [log.messages[0]?.seq ?? Infinity, log.messages.at(-1)?.seq ?? 0]
          const answer = (run: () => void) => dueAnswers.push({ at: time + 1 + act.delay, run })
          if (act.do === 'changes') {
            const changes = room.changes(requestedLog.rev, 3)
            answer(() => {
              log = applyChanges(log, changes, requestedLog)
            })
          } else if (act.do === 'newest') {
            const page = readNewestPage(room)
            answer(() => {
              log = applyPage(log, page, 'newest', requestedLog.window)
            })
          } else if (act.do === 'around') {
            const page = room.page((seq) => seq >= act.at, 'start', 4)
            // The server answers `around` with an anchor message; a room without messages has no anchor.
            if (page.results.length > 0)
              answer(() => {
                log = applyPage(log, page, 'around', requestedLog.window)
              })
          } else if (act.do === 'older' && requestedLog.hasOlder) {
            const page = room.page((seq) => seq < firstSeq, 'end', 3)
            answer(() => {
              log = applyPage(log, page, 'older', requestedLog.window)
            })
          } else if (act.do === 'newer' && requestedLog.hasNewer) {
            const page = room.page((seq) => seq > lastSeq, 'start', 3)
            answer(() => {
              log = applyPage(log, page, 'newer', requestedLog.window)
            })
          }
        })
        // Revision that the server's tick reports to this client.
        log = loadRoomLog(syncLog(recordRev(log, room.changes(0, 1000).rev), room), room)
        expect(log.messages).toEqual(room.all())
        expect(isBehind(log)).toBe(false)
        expect(log.bufferedChanges.filter(({ rev }) => rev <= log.rev)).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  it('buffers an early event, and applies the event when the missing one has arrived', () => {
    const room = newRoom(true)
    const [firstChange, secondChange, thirdChange] = ['a', 'b', 'c'].map((text) => room.write(text, null, false))
    if (!firstChange || !secondChange || !thirdChange) throw new Error('not written')
    let log = applyRoomEvent(
      applyPage(
        emptyLog,
        newRoom(true).page(() => true, 'end', 5),
        'newest',
      ),
      thirdChange,
    )
    expect([log.messages.length, isBehind(log), log.rev]).toEqual([0, true, 0])
    log = applyRoomEvent(log, firstChange)
    log = applyRoomEvent(log, secondChange)
    expect([log.messages.map(({ text }) => text), isBehind(log)]).toEqual([['a', 'b', 'c'], false])
    expect(applyRoomEvent(log, secondChange)).toBe(log)
  })

  it('shows the quote of a removed message as removed', () => {
    const room = newRoom(true)
    room.write('asked', null, false)
    room.write('answered', room.pickMessage(0), false)
    const formerLog = applyPage(emptyLog, readNewestPage(room), 'newest')
    expect(formerLog.messages[1]?.quoted).toMatchObject({ text: 'asked' })
    const removedMessage = room.remove(0)
    const changedLog = removedMessage && applyRoomEvent(formerLog, removedMessage)
    expect(changedLog?.messages.map(({ text, quoted }) => [text, quoted])).toEqual([
      ['answered', { id: 101, deleted: true }],
    ])
  })

  it('does not count a partially emitted message as known', () => {
    const room = newRoom(true)
    const log = applyPage(emptyLog, readNewestPage(room), 'newest')
    const wholeChange = room.write('long', null, false)
    const logAfterEvent = applyRoomEvent(log, {
      rev: 1,
      prev: 0,
      type: 'created',
      data: { id: 101, rev: 1, partial: true },
    })
    expect([logAfterEvent.messages, isBehind(logAfterEvent)]).toEqual([[], true])
    expect(wholeChange && syncLog(logAfterEvent, room).messages).toEqual(room.all())
  })

  it('reloads the room log when the log of the server does not reach back far enough', () => {
    const room = newRoom(true)
    room.write('old', null, false)
    const log = applyPage(emptyLog, readNewestPage(room), 'newest')
    room.write('new', null, false)
    const resetChanges = applyChanges(log, { results: [], rev: 2, complete: true, reset: true }, log)
    expect([resetChanges.isLoaded, isBehind(resetChanges), resetChanges.messages.length]).toEqual([false, true, 1])
    expect(syncLog(resetChanges, room).messages).toEqual(room.all())
  })

  it('continues past a change of a room that the user may no longer see', () => {
    const deskRoom = newRoom(true)
    const outsiderRoom = newRoom(false)
    for (const room of [deskRoom, outsiderRoom]) room.write('asked', null, false)
    let log = applyPage(emptyLog, readNewestPage(deskRoom), 'newest')
    const [missedChange, note] = [deskRoom.write('a note', null, true), deskRoom.write('another', null, true)]
    for (let count = 0; count < 2; count += 1) outsiderRoom.write('note', null, true)
    if (!missedChange || !note) throw new Error('not written')
    log = applyRoomEvent(log, note)
    outsiderRoom.write('answered', null, false)
    log = syncLog(recordRev(log, 4), outsiderRoom)
    expect([isBehind(log), log.rev, log.bufferedChanges]).toEqual([false, 4, []])
    expect(log.messages.map(({ text }) => text)).toEqual(['asked', 'answered'])
  })

  it('catches up with a thousand missed changes of a room', () => {
    const room = newRoom(true)
    let log = applyPage(emptyLog, readNewestPage(room), 'newest')
    for (let count = 0; count < 1_000; count += 1) room.write(`m${count}`, null, false)
    log = syncLog(recordRev(log, 1_000), room, 200)
    expect(log.messages).toEqual(room.all())
  })
})
