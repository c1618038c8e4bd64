-- What a partner states about its customers is stored whole: the limits of forms are for what people type.
alter table members
  drop constraint members_first_name_check,
  drop constraint members_last_name_check,
  add constraint members_first_name_check check (length(first_name) <= 300),
  add constraint members_last_name_check check (length(last_name) <= 300);
alter table partner_cards
  drop constraint partner_cards_description_check,
  add constraint partner_cards_description_check check (length(description) between 1 and 200);
-- The domain of an address is stored as mail servers know it, which may be longer than what was typed.
alter table prospects
  drop constraint prospects_email_check,
  add constraint prospects_email_check check (length(email) between 3 and 254);
