"""What is known of each assignment without its answers: parameters by student, laws, typical mistakes, hints."""
