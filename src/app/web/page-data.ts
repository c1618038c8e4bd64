import type { QueryCache, QueryKey } from '../../platform/browser/query-cache.ts'
import type { PageBoot } from './boot.ts'
import type { Failure } from './page.ts'

/** Data of one page: read by the browser before hydration. */
export interface PageData {
  boot: PageBoot
  /** Address of the program file. */
  program: string
  /** Results of the loaders. */
  queries: [QueryKey, unknown][]
  failure: Failure | null
}

const elementId = 'page-data'

/** Adds results to a cache as if they had just been loaded. */
export function fillCache(cache: QueryCache, queries: PageData['queries']): void {
  for (const [key, data] of queries) cache.set(key, data)
}

/** Returns page data as an element that no browser executes. `<` is escaped, so that no text can end the element. */
export function pageDataElement(data: PageData): string {
  return `<script type="application/json" id="${elementId}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

/** Reads the page data. Only a script element counts: content cannot contain one. */
export function readPageData(document: Document): PageData {
  const element = document.querySelector<HTMLScriptElement>('script#page-data[type="application/json"]')
  return JSON.parse(element?.textContent ?? '')
}

/** How long the scripts wait for the first screen. */
const maxWaitMs = 3_000

/**
 * Returns links as an element whose content browsers ignore, until the loader script inserts it. It precedes that script
 * directly.
 */
export const laterLinks = (links: string): string => `<template>${links}</template>`

/**
 * Returns the only inline script of a page: it loads the entry script. Browsers allow it by its hash, and what it loads
 * by `strict-dynamic`.
 *
 * It waits for the `load` event, the first paint, and one more frame: the first screen then has its images and fonts,
 * which would share the bandwidth otherwise. A press or key ends the wait, and so does `maxWaitMs`. Hidden pages are not
 * painted and load at once. The script element exists from the start, so that it can be seen that the page has scripts.
 */
export function loaderScript(entry: string): string {
  const steps = [
    'let d=document,c=d.currentScript,t=c.previousElementSibling,s=d.createElement("script")',
    `l=()=>{if(!s.src){t.replaceWith(t.content);s.src=${JSON.stringify(entry)}}}`,
  ].join()
  const painted =
    'd.hidden?l():new PerformanceObserver(()=>requestAnimationFrame(l)).observe({type:"paint",buffered:true})'
  return `{${steps};s.type="module";c.after(s);addEventListener("load",()=>${painted});for(let e of["pointerdown","keydown"])addEventListener(e,l,{once:true,capture:true});setTimeout(l,${maxWaitMs})}`
}
