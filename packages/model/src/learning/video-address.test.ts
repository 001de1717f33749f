import { expect, it } from 'vitest'
import { videoOf } from './video-address.ts'

const player = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'

it.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1', player],
  ['https://youtube.com/watch?app=desktop&v=dQw4w9WgXcQ', player],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', player],
  ['https://youtu.be/dQw4w9WgXcQ?t=42', player],
  ['https://www.youtube.com/live/dQw4w9WgXcQ', player],
  ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', player],
  ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
  ['https://vimeo.com/76979871/8272103f6e', 'https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e'],
  [
    'https://player.vimeo.com/video/76979871?h=8272103f6e',
    'https://player.vimeo.com/video/76979871?dnt=1&h=8272103f6e',
  ],
])('plays the video at %s in a frame with the address %s', (address, src) => {
  expect(videoOf(address)).toMatchObject({ kind: 'player', src })
})

it('plays the address of a video file without the player of a site', () => {
  expect(videoOf('https://media.example.org/a/lesson-1.MP4')).toEqual({
    kind: 'file',
    src: 'https://media.example.org/a/lesson-1.MP4',
  })
  expect(videoOf('https://dala.example.org/uploads/lesson.webm?v=2')?.kind).toBe('file')
})

it.each([
  'javascript:alert(1)//youtube.com/watch?v=dQw4w9WgXcQ',
  'data:text/html,<script>alert(1)</script>.mp4',
  'blob:https://youtube.com/dQw4w9WgXcQ',
  'http://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://evil.example/www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
  'https://user:word@youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com:8443/watch?v=dQw4w9WgXcQ',
  'https://xn--yutube-wqf.com/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v="><script>',
  'https://www.youtube.com/embed/../redirect?q=https://evil.example',
  'https://youtu.be/dQw4w9WgXcQ0',
  'https://vimeo.com/channels/staffpicks',
  'https://vimeo.com/76979871x',
  'https://rutube.ru/video/1/',
  'https://media.example.org/lesson.mp4.exe',
  'https://media.example.org/?file=lesson.mp4',
  '//youtube.com/watch?v=dQw4w9WgXcQ',
  'lesson.mp4',
  '',
])('shows no player for the address %s', (address) => {
  expect(videoOf(address)).toBeNull()
})

it('puts only the number of the video into the addresses of a frame and of its page', () => {
  const typedAddress = 'https://vimeo.com/76979871/abc"onload=alert(1)?autoplay=1#x'
  expect(videoOf(typedAddress)).toEqual({
    kind: 'player',
    site: 'Vimeo',
    src: 'https://player.vimeo.com/video/76979871?dnt=1',
    page: 'https://vimeo.com/76979871',
  })
})
