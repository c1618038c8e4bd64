-- Finds an earlier review of the same meal, so that a second one is not thanked for as if it counted.
create index responses_by_meal on forms.responses (service_code, (tracking ->> 'transactionId'))
  where form_id = 'review';
