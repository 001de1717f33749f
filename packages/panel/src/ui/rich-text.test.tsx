import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { RichText } from './rich-text.tsx'

const htmlOf = (html: string) => render(<RichText html={html} lang="kaa" />).container.innerHTML

describe('RichText', () => {
  it('draws known tags of rich text, and only the contents of other tags', () => {
    const html = htmlOf('<h2>Salı</h2><marquee><p>Suw <b>ber</b></p></marquee>')
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Salı')
    expect(html).toContain('<p>Suw <b>ber</b></p>')
    expect(html).not.toContain('marquee')
    expect(html).toContain('lang="kaa"')
  })
  it('opens links without access to the window, and drops addresses that run JS', () => {
    render(
      <RichText
        html={
          '<a href="https://example.org/a" onclick="x()">A</a><a href="javascript:x()">B</a><a href="//evil.test">C</a>'
        }
      />,
    )
    const [link, ...otherLinks] = screen.getAllByRole('link')
    expect(link?.outerHTML).toBe('<a href="https://example.org/a" target="_blank" rel="noopener noreferrer">A</a>')
    expect(otherLinks).toHaveLength(0)
    expect(screen.getByText(/B/).textContent).toContain('C')
  })
  it('draws the texts between the tags with marks, and neither addresses nor dropped contents', () => {
    const { container } = render(
      <RichText
        html="<h2>Suw</h2><p><a href='https://example.org/Suw'>Suw</a> <script>Suw</script></p>"
        drawText={(text) => (text === 'Suw' ? <mark>{text}</mark> : text)}
      />,
    )
    expect(container.querySelectorAll('mark')).toHaveLength(2)
    expect(screen.getByRole('link').innerHTML).toBe('<mark>Suw</mark>')
    expect(screen.getByRole('link').getAttribute('href')).toBe('https://example.org/Suw')
  })
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<p style="position:fixed" onmouseover="x()">t</p>',
    '<svg><script>alert(1)</script></svg>',
    '<iframe srcdoc="<p>x</p>"></iframe>',
    '<img src="data:image/svg+xml,x">',
  ])('draws nothing of rich text that runs code of %s', (html) => {
    expect(htmlOf(html)).not.toMatch(/script|onerror|onmouseover|style=|svg|iframe|data:/)
  })
})
