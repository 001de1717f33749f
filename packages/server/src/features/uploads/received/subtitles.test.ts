import { describe, expect, test } from 'vitest'
import { cleanSubtitles } from './subtitles.ts'

const cleanCues = (text: string) => cleanSubtitles(Buffer.from(text))

describe('cleanSubtitles', () => {
  test('keeps the cues of subtitles with their times and their text', () => {
    const text =
      '\ufeffWEBVTT - Dars\r\n\r\n1\r\n00:01.000 --> 00:02.500 align:start\r\nСалом\r\nдунё\r\n\r\n01:00:00.000 --> 01:00:01.000\r\na & b\r\n'
    expect(cleanCues(text)).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nСалом\nдунё\n\n01:00:00.000 --> 01:00:01.000\na &amp; b\n',
    )
  })

  test('leaves styles, regions and notes out of subtitles', () => {
    const text =
      'WEBVTT\n\nSTYLE\n::cue { background: url(https://example.org) }\n\nREGION\nid:a\n\nNOTE a\nb\n\n00:01.000 --> 00:02.000\nx'
    expect(cleanCues(text)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nx\n')
  })

  test.each([
    ['<b>x</b> <i.loud>y</i> <u>z</u>', '<b>x</b> <i>y</i> <u>z</u>'],
    ['<v Anna Maria>x', '<v Anna Maria>x</v>'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>x', 'x'],
    ['<b onclick=alert(1)>x', '<b>x</b>'],
    ['<v "><script>">x', '<v ">"&gt;x</v>'],
    ['<c.red>x</c><00:01.500>y', 'xy'],
    ['<b>x</i></b></b>', '<b>x</b>'],
    ['a &lt;b&gt; &amp;amp; &nbsp;', 'a &lt;b&gt; &amp;amp; \u00a0'],
    ['x <unclosed', 'x '],
  ])('writes the text %j of a subtitle as %j', (text, cleanedText) => {
    expect(cleanCues(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`)).toBe(
      `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${cleanedText}\n`,
    )
  })

  test.each([
    ['', 1],
    ['1\n00:00:01,000 --> 00:00:02,000\nx', 1],
    ['WEBVTT\n\n00:01 --> 00:02\nx', 3],
    ['WEBVTT\n\nname\nx', 4],
    ['WEBVTT\n\n00:02.000 --> 00:01.000\nx', 3],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nx\n00:02.000 --> 00:03.000\ny', 5],
    ['WEBVTT\n\nNOTE nothing else', 3],
  ])('refuses the subtitles %j with the number of the wrong line, %i', (text, line) => {
    expect(() => cleanCues(text)).toThrow(expect.objectContaining({ code: 'upload.subtitles', params: { line } }))
  })

  test('refuses subtitles that are not UTF-8', () => {
    expect(() => cleanSubtitles(Buffer.from('WEBVTT\n\n\xff', 'latin1'))).toThrow(/line 1/)
  })
})
