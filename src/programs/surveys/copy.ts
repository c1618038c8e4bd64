export const surveysCopy = {
  'survey.close': 'Close the survey',
  'survey.region': 'Surveys',
  'survey.missing': 'We can’t show this survey right now. Please try again later.',
  'survey.success_title': 'Thank you',
  'survey.success_text': 'We received your answers.',
  'survey.error_title': 'Survey not sent',
  'survey.error_text': 'There was an issue processing your survey.',
} as const
