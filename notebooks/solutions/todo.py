from agentlib import TodoManager as MyTodo
