import { expect, test } from 'vitest'
import { RecentAnswers } from './recent-answers.ts'

test('an answer is kept until it is the oldest of too many, or all are forgotten', () => {
  const asked: string[] = []
  const recent = new RecentAnswers<string>(2)
  const ask = (question: string) =>
    recent.get(question, () => {
      asked.push(question)
      return question.toUpperCase()
    })
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(asked).toEqual(['a', 'b', 'c', 'b'])
  recent.clear()
  ask('b')
  expect(asked).toEqual(['a', 'b', 'c', 'b', 'b'])
})
