import { describe, expect, it } from 'vitest'
import { outdatedPictures } from './picture-dates.ts'

describe('outdatedPictures', () => {
  const pictures = {
    folder: 'docs/images',
    script: 'screenshots',
    captureDate: new Date('2026-10-01T09:00:00Z'),
  }

  it.each(['2026-09-01T09:00:00Z', '2026-10-01T09:00:00Z', '2026-11-01T08:59:59Z'])(
    'accepts pictures of 1 October with screens of %s',
    (screenDate) => {
      expect(outdatedPictures(pictures, new Date(screenDate))).toBeUndefined()
    },
  )

  it('reports by how many days pictures are too old, and the command that takes them anew', () => {
    expect(outdatedPictures(pictures, new Date('2026-11-02T09:00:00Z'))).toBe(
      'The pictures in docs/images are 32 days older than the screens; `npm run screenshots` takes them anew.',
    )
  })
})
