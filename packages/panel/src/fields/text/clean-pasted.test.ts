import { describe, expect, it } from 'vitest'
import { cleanPastedHtml } from './clean-pasted.ts'

const wordItem = (level: number, marker: string, text: string) => `
<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 36}pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=RU style='mso-ansi-language:RU'>${text}<o:p></o:p></span></p>`

const makeWordHtml = (
  content: string,
) => `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- p.MsoNormal { mso-style-unhide:no; font-size:11.0pt; } --></style></head>
<body lang=RU link="#0563C1" style='tab-interval:35.4pt'><!--StartFragment-->${content}<!--EndFragment--></body></html>`

describe('a paste from Word', () => {
  it('keeps text and emphasis pasted from Word, and none of the styles', () => {
    const html = makeWordHtml(`
<h1 style='margin-top:12.0pt'><b><span lang=RU style='font-size:16.0pt;color:#2F5496'>Засоление
почв</span></b><o:p></o:p></h1>
<p class=MsoNormal align=center style='text-align:center;mso-margin-top-alt:auto'><b style='mso-bidi-font-weight:normal'><span
lang=RU style='font-size:12.0pt;mso-fareast-language:RU'>Промывка</span></b><span
lang=RU>&nbsp;проводится <i>осенью</i>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal><font color=red><span style='mso-spacerun:yes'>  </span>Норма</font></p>`)
    expect(cleanPastedHtml(html)).toBe(
      '<h2><b>Засоление почв</b></h2><p><b>Промывка</b> проводится <i>осенью</i>.</p><p> Норма</p>',
    )
  })

  it('makes lists of pasted paragraphs that look like lists, however deep', () => {
    const html = makeWordHtml(
      `<p class=MsoNormal>До</p>${wordItem(1, '·', 'вода')}${wordItem(2, 'o', 'арык')}${wordItem(2, 'o', 'дренаж')}${wordItem(1, '·', 'соль')}<p class=MsoNormal>После</p>`,
    )
    expect(cleanPastedHtml(html)).toBe(
      '<p>До</p><ul><li>вода<ul><li>арык</li><li>дренаж</li></ul></li><li>соль</li></ul><p>После</p>',
    )
  })

  it('distinguishes numbered lists of a paste from others, and starts a new list after a paragraph', () => {
    const html = makeWordHtml(
      `${wordItem(1, '1.', 'раз')}${wordItem(1, '2.', 'два')}<p class=MsoNormal>и</p>${wordItem(1, '§', 'три')}`,
    )
    expect(cleanPastedHtml(html)).toBe('<ol><li>раз</li><li>два</li></ol><p>и</p><ul><li>три</li></ul>')
  })

  it('begins a pasted list at a deeper level without losing a line', () => {
    const html = makeWordHtml(`${wordItem(2, 'o', 'глубже')}${wordItem(1, '·', 'выше')}`)
    expect(cleanPastedHtml(html)).toBe('<ul><li><ul><li>глубже</li></ul></li><li>выше</li></ul>')
  })
})

describe('a paste from elsewhere', () => {
  it('removes the false bold of Google Docs and keeps the real bold', () => {
    const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1a2b"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-family:Arial;font-weight:700;font-style:italic;">Gʻalla</span><span style="font-weight:400;text-decoration:none;"> narxi </span><a href="https://dala.example.org/narx" style="text-decoration:none;"><span style="text-decoration:underline;color:#1155cc;">havola</span></a></p><br /><ul style="margin-top:0;"><li dir="ltr" aria-level="1" style="list-style-type:disc;"><p dir="ltr" role="presentation"><span style="font-weight:400;">bir</span></p></li></ul></b><br class="Apple-interchange-newline">`
    expect(cleanPastedHtml(html)).toBe(
      '<p><em><strong>Gʻalla</strong></em> narxi <a href="https://dala.example.org/narx">havola</a></p><br><ul><li><p>bir</p></li></ul>',
    )
  })

  it('makes one line of a row pasted from Excel', () => {
    const html = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><table border=0 cellpadding=0 style='border-collapse:collapse;width:96pt'><colgroup><col width=64></colgroup><tr height=20><td class=xl65 style='mso-number-format:"0"'>Buǵday</td><td class=xl65 align=right>2 500</td></tr><tr><td>Salı</td><td></td></tr></table></body></html>`
    expect(cleanPastedHtml(html)).toBe('<p>Buǵday | 2 500</p><p>Salı</p>')
  })

  it('keeps the paragraphs of a pasted layout table that contains another table', () => {
    const html =
      '<table><tr><td><p>one</p><p>two</p><table><tr><td>a</td><td>b</td></tr></table></td></tr></table><div class="x">three</div>'
    expect(cleanPastedHtml(html)).toBe('<p>one</p><p>two</p><p>a | b</p><p>three</p>')
  })

  it('keeps at most the text of hostile markup', () => {
    const html =
      '<p onclick="alert(1)" style="background:url(javascript:alert(1))">a<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">b</a><a href=" HTTPS://example.org" target=_top onmouseover=x>c</a></p><iframe src="https://evil.example"></iframe><svg><script>1</script></svg>'
    expect(cleanPastedHtml(html)).toBe('<p>ab<a href=" HTTPS://example.org">c</a></p>')
  })

  it('leaves text pasted from the editor itself unchanged', () => {
    const html = '<p data-pm-slice="1 1 []">as <strong>it</strong> is</p>'
    expect(cleanPastedHtml(html)).toBe(html)
  })
})
