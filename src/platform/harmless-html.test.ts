import { expect, test } from 'vitest'
import { harmlessHtml } from './harmless-html.ts'

const isHarmless = (html: string) => new RegExp(harmlessHtml).test(html)

test('text, links and drawings are harmless, and everything else is not', () => {
  for (const html of [
    '',
    'New York',
    '&copy; <a href="https://maps.example/copyright" target="_blank">Example</a> contributors',
    '<span aria-hidden="true">&#215;</span>',
    '<svg aria-hidden="true" xmlns="http://www.w3.org/2000/svg" width="12" height="8" viewBox="0 0 12 8" class="flag"><path fill="#4C7BE1" d="M0 0h12v4H0z"/></svg> Map',
    '<v:shape adj="1"/>',
  ])
    expect([html, isHarmless(html)]).toEqual([html, true])
  for (const html of [
    '<img src="x" onerror="alert(1)">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a onclick="alert(1)">x</a>',
    '<a class="x"onclick="alert(1)">x</a>',
    '<a class=x onclick=alert(1)>x</a>',
    "<a class='x'>x</a>",
    '<svg/onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><use href="https://x.example/y.svg#z"/></svg>',
    '<svg><set attributename="href" to="javascript:alert(1)"/></svg>',
    '<script></script>',
    '<style>*{}</style>',
    '<iframe srcdoc="x"></iframe>',
    '<b style="color:red">x</b>',
    '<!-- x -->',
    '<b',
    'a < b',
  ])
    expect([html, isHarmless(html)]).toEqual([html, false])
})
