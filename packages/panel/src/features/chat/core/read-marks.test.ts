import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyReadAnswer, markAsSent, applyReceipt, noMarks, noSentMarks, progressOf, nextMark } from './read-marks.ts'

const asker = 5

describe('applyReceipt', () => {
  it("raises read marks in any order of receipts, and changes the state of the other side's messages only", () => {
    const receipt = fc.record({
      room: fc.constant(1),
      user: fc.constantFrom(4, 5, 6),
      last_read_seq: fc.nat(20),
      delivered_seq: fc.nat(20),
    })
    fc.assert(
      fc.property(fc.array(receipt), (allReceipts) => {
        const marksAfter = (receipts: typeof allReceipts) =>
          receipts.reduce((marks, nextReceipt) => applyReceipt(marks, nextReceipt), noMarks)
        expect(marksAfter(allReceipts.toReversed())).toEqual(marksAfter([...allReceipts, ...allReceipts]))
      }),
    )
    const marks = applyReceipt(noMarks, { room: 1, user: 4, last_read_seq: 3, delivered_seq: 5 })
    const getProgress = (sender: number, seq: number) =>
      progressOf({ seen: false, seq, sender: { id: sender } }, marks, asker)
    expect([getProgress(5, 3), getProgress(5, 5), getProgress(5, 6), getProgress(4, 1)]).toEqual([
      'seen',
      'delivered',
      'sent',
      'sent',
    ])
  })
})

describe('the user’s own read mark', () => {
  it('sends the user’s read mark once for visible messages only, and again when it was lost', () => {
    const arbitraryMoment = fc.record({
      seq: fc.nat(9),
      isVisible: fc.boolean(),
      isOpen: fc.boolean(),
      isTaken: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(arbitraryMoment), (moments) => {
        let sentMarks = noSentMarks
        let takenCount = 0
        for (const moment of moments) {
          const seq = nextMark(sentMarks, moment)
          const isNew = moment.isVisible && moment.isOpen && moment.seq > takenCount
          expect(seq).toBe(isNew ? moment.seq : undefined)
          if (seq === undefined) continue
          sentMarks = markAsSent(sentMarks, seq)
          expect(nextMark(sentMarks, moment)).toBeUndefined()
          sentMarks = applyReadAnswer(sentMarks, seq, moment.isTaken)
          if (moment.isTaken) takenCount = seq
        }
      }),
    )
  })
})
